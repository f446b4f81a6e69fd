import { render } from "preact";
import { App } from "./app";
import { applyPreferences } from "./preferences";
import "./styles/base.css";
import "./styles/layout.css";
import "./styles/forms.css";
import "./styles/board.css";

applyPreferences();
render(<App />, document.getElementById("app")!);
