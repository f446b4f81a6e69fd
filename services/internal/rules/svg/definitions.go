package svg

// definitions are the shapes of all drawings, around the origin: for cells 20 wide on boards, for
// cells 40 wide on grids. They are the same in every drawing, so that several drawings can share a
// page. Each use of a shape sets the colours that depend on the theme.
const definitions = markup(`<defs>` +
	`<radialGradient id="fs-dark" cx=".36" cy=".28" r=".85"><stop stop-color="#5d646d"/>` +
	`<stop offset=".45" stop-color="#1c1f23"/><stop offset="1" stop-color="#0b0c0e"/></radialGradient>` +
	`<radialGradient id="fs-pale" cx=".36" cy=".28" r=".85"><stop stop-color="#fff"/>` +
	`<stop offset=".55" stop-color="#f5f3ed"/><stop offset="1" stop-color="#c9c4b6"/></radialGradient>` +
	`<circle id="fs-shade" cx=".3" cy=".9" r="8.2" fill="#000" opacity=".3"/>` +
	`<g id="fs-black"><use href="#fs-shade"/><circle r="8.2" fill="url(#fs-dark)" stroke="#000" stroke-width=".5"/></g>` +
	`<g id="fs-white"><use href="#fs-shade"/><circle r="8.2" fill="url(#fs-pale)" stroke="#8f8a7c" stroke-width=".5"/></g>` +
	`<path id="fs-hex" d="M0-11.55 10-5.77V5.77L0 11.55-10 5.77V-5.77z"/>` +
	`<path id="fs-square" d="M-10-10h20v20h-20z"/>` +
	`<rect id="fs-slot" x="1" y="1" width="38" height="38" rx="4"/>` +
	`<path id="fs-hole" d="M14 14 26 26M26 14 14 26" stroke-width="2" stroke-linecap="round"/>` +
	`<rect id="fs-red" x="1" y="1" width="38" height="38" rx="4"/>` +
	`<path id="fs-blue" d="M7 1h26l6 6v26l-6 6h-26l-6-6v-26z"/>` +
	`<path id="fs-diamond" d="M20 16.2 23.8 20 20 23.8 16.2 20z"/>` +
	`<circle id="fs-dot" cx="20" cy="20" r="3.1"/>` +
	`<g id="fs-entry"><rect width="108" height="38" rx="5"/>` +
	`<path d="M24 0v38h-19a5 5 0 0 1-5-5v-28a5 5 0 0 1 5-5" fill="#000" opacity=".28"/>` +
	`<path d="M29 30.5l2.75-5 2.75 5zM49 25.5h5.5l-2.75 5zM70 25.2v5.6l5-2.8zM94.5 25.2v5.6l-5-2.8z" ` +
	`fill="#fff" opacity=".75"/></g>` +
	`</defs>`)
