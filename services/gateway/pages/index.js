// Replaces the address in the commands by the address of this page.
"use strict";
for (const code of document.querySelectorAll("pre code")) {
  code.textContent = code.textContent.replaceAll("http://127.0.0.1:8080", location.origin);
}
