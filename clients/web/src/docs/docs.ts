// The page of the API at /docs: Swagger UI on the OpenAPI document of this server.
//
// Swagger UI is released monthly, reads OpenAPI 3.1, has a dark theme and works under a policy
// without inline styles. It is larger (485 KB compressed) than RapiDoc (218 KB), which had its last
// release in 2024, and smaller than Scalar, which adds its styles inline.
import "./docs.css";
import { prepare, type OpenAPI } from "./document";
import { matching } from "./filter";
import { fetchStart, type Request, type Response } from "./stream";

/** The parts of Swagger UI that the page calls. */
interface SwaggerUI {
  authActions: {
    authorizeWithPersistOption(schemes: Record<string, { name: string; schema: object; value: string }>): void;
  };
}

declare const SwaggerUIBundle: (options: object) => SwaggerUI;

/** Follows the colours of the system, or those that the user chose on the board. */
function applyTheme(): void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const { theme } = JSON.parse(localStorage.getItem("flipside.preferences") ?? "{}") as { theme?: string };
  const apply = (): void => {
    const on = theme === "dark" || (theme !== "light" && dark.matches);
    document.documentElement.classList.toggle("dark-mode", on);
  };
  apply();
  dark.addEventListener("change", apply);
}

/** Sends a new key with all further calls. */
function useKey(ui: SwaggerUI, key: string): void {
  ui.authActions.authorizeWithPersistOption({
    key: { name: "key", schema: { type: "http", scheme: "bearer" }, value: key },
  });
}

async function main(): Promise<void> {
  const spec = await (await fetch("/openapi.json")).json() as OpenAPI;
  const ui: SwaggerUI = SwaggerUIBundle({
    dom_id: "#docs",
    spec: prepare(spec),
    deepLinking: true,
    displayRequestDuration: true,
    defaultModelRendering: "model",
    defaultModelsExpandDepth: -1,
    filter: true,
    persistAuthorization: true,
    plugins: [{ fn: { opsFilter: matching } }],
    tryItOutEnabled: true,
    requestInterceptor: (request: Request) => {
      request.userFetch = fetchStart;
      return request;
    },
    responseInterceptor: (response: Response) => {
      if (response.ok && new URL(response.url).pathname === "/v1/players") {
        const { key } = JSON.parse(response.text) as { key?: string };
        if (key) useKey(ui, key);
      }
      return response;
    },
  });
}

applyTheme();
main().catch((error: unknown) => {
  document.querySelector("#docs")!.textContent = `The documentation cannot be shown: ${String(error)}`;
});
