// Renders the OpenAPI document of this server. All text becomes text nodes.
"use strict";

// el creates an element with properties and children. Strings become text nodes.
function el(tag, properties, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children.filter((child) => child != null && child !== ""));
  return node;
}

// inline turns `code` and the names of codes and reasons into code elements.
function inline(text) {
  const name = "[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[A-Z]{7,}";
  return text.split(new RegExp("(`[^`]+`|\\b(?:" + name + ")\\b)")).filter(Boolean).map((part) =>
    new RegExp("^(?:`.*`|" + name + ")$").test(part) ? el("code", {}, part.replaceAll("`", "")) : part);
}

// prose turns the paragraphs and lists of a description into elements.
function prose(text) {
  return (text || "").split(/\n{2,}/).filter(Boolean).flatMap((block) => {
    const at = block.search(/^- /m);
    if (at < 0) return [el("p", {}, ...inline(block))];
    const items = block.slice(at).split(/^- /m).filter(Boolean).map((item) => el("li", {}, ...inline(item.trim())));
    const lead = block.slice(0, at).trim();
    return [lead ? el("p", {className: "lead"}, ...inline(lead)) : null, el("ul", {}, ...items)].filter(Boolean);
  });
}

class Page {
  constructor(doc) {
    this.doc = doc;
  }

  resolve(thing) {
    if (!thing || !thing.$ref) return thing;
    return thing.$ref.slice(2).split("/").reduce((at, key) => at[key], this.doc);
  }

  // typeName returns a short name for the type of a schema.
  typeName(schema) {
    if (schema.$ref) return schema.$ref.split("/").pop().replace(/^.*\.v1\./, "");
    if (schema.type === "array") return this.typeName(schema.items) + "[]";
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (schema.oneOf && !schema.properties) return schema.oneOf.map((one) => this.typeName(one)).join(" | ");
    if (schema.type === "object" && schema.additionalProperties?.type) return "map of " + schema.additionalProperties.type;
    return schema.format && schema.type !== "object" ? `${schema.type} (${schema.format})` : schema.type || "any";
  }

  // inside returns the nested schemas of a field that have content to show: objects with fields, and enums.
  inside(schema) {
    if (schema.type === "array") return this.inside(schema.items);
    if (schema.oneOf && !schema.properties) return schema.oneOf.flatMap((one) => this.inside(one));
    const target = this.resolve(schema);
    return target && (target.enum || Object.keys(target.properties || {}).length) ? [{target, name: this.typeName(schema)}] : [];
  }

  // choices returns the fields of a oneof: only one of them can be set.
  choices(schema) {
    return new Set((schema.oneOf || []).flatMap((one) => one.required || []));
  }

  // fields lists the fields of an object. Each opens to show its own fields.
  fields(schema) {
    if (schema.enum) return el("p", {className: "values"}, ...schema.enum.flatMap((value) => [el("code", {}, value), " "]));
    const choices = this.choices(schema);
    const required = new Set(schema.required || []);
    return el("ul", {className: "fields"}, ...Object.entries(schema.properties || {}).map(([name, field]) => {
      const inside = this.inside(field);
      const isRequired = required.has(name) || /^Required\. /.test(field.description || "");
      const head = [
        el("code", {className: "name"}, name), " ", el("span", {className: "type"}, this.typeName(field)),
        isRequired ? el("span", {className: "tag"}, "required") : null,
        choices.has(name) ? el("span", {className: "tag"}, "choice") : null,
      ];
      const text = el("div", {className: "text"}, ...prose((field.description || "").replace(/^Required\. /, "")));
      if (!inside.length) return el("li", {}, el("div", {className: "head"}, ...head.filter(Boolean)), text);
      return el("li", {}, this.opening([...head, text], () => inside.flatMap(({target, name: inner}) =>
        [inside.length > 1 ? el("p", {className: "type"}, inner) : null, this.fields(target)])));
    }));
  }

  // opening creates a collapsed part. Its content is created when it first opens, since schemas are recursive.
  opening(head, draw) {
    const details = el("details", {}, el("summary", {className: "head"}, ...head.filter(Boolean)));
    details.addEventListener("toggle", () => details.append(...draw().filter(Boolean)), {once: true});
    return details;
  }

  parameters(list, title) {
    if (!list.length) return null;
    const rows = list.map((parameter) => el("li", {},
      el("div", {className: "head"}, el("code", {className: "name"}, parameter.name), " ",
        el("span", {className: "type"}, this.typeName(parameter.schema)),
        parameter.required ? el("span", {className: "tag"}, "required") : ""),
      el("div", {className: "text"}, ...prose((parameter.description || "").replace(/^Required\. /, "")),
        this.inside(parameter.schema).length ? this.fields(this.resolve(parameter.schema)) : "")));
    return el("section", {}, el("h4", {}, title), el("ul", {className: "fields"}, ...rows));
  }

  body(operation) {
    const content = operation.requestBody?.content?.["application/json"];
    if (!content || !Object.keys(content.schema.properties || {}).length) return null;
    return el("section", {}, el("h4", {}, "Body"), this.fields(content.schema));
  }

  // response renders a response. A shared response is collapsed.
  response(code, response) {
    if (response.$ref) {
      return this.opening([el("strong", {}, "Error")], () => [this.response("", this.resolve(response))]);
    }
    const media = Object.entries(response.content || {});
    const parts = [el("p", {className: "head"}, code ? el("strong", {}, code) : "", " ",
      ...media.map(([type]) => el("span", {className: "media"}, type)))];
    parts.push(...prose(response.description));
    const headers = Object.entries(response.headers || {});
    if (headers.length) {
      parts.push(el("ul", {className: "fields"}, ...headers.map(([name, header]) =>
        el("li", {}, el("code", {className: "name"}, name), " ", el("span", {className: "type"}, "header"),
          el("div", {className: "text"}, ...prose(header.description))))));
    }
    const schema = media[0]?.[1].schema;
    if (schema && this.inside(schema).length) {
      parts.push(this.opening([el("span", {className: "type"}, schema.$ref ? this.typeName(schema) : "one line")],
        () => [this.fields(this.resolve(schema))]));
    }
    return el("div", {className: "response"}, ...parts);
  }

  // command returns the curl command of a call.
  command(verb, path, operation) {
    const keyless = operation.security && !operation.security.length;
    const example = operation.requestBody?.content?.["application/json"]?.example;
    const streams = operation.responses["200"]?.content?.["text/event-stream"];
    const lines = [`curl ${streams ? "-N " : ""}"${location.origin}${path.replace(/\{game_id\}/, "$GAME")}"`];
    if (!keyless) lines.push('-H "Authorization: Bearer $KEY"');
    if (verb === "post") lines.push(`--json '${this.json(example || {})}'`);
    return lines.join(" \\\n  ");
  }

  // json formats an object with one field per line.
  json(value) {
    return "{" + Object.entries(value).map(([name, each]) => `"${name}": ${JSON.stringify(each)}`).join(",\n    ") + "}";
  }

  operation(verb, path, operation) {
    const list = (operation.parameters || []).map((parameter) => this.resolve(parameter));
    const where = (place) => list.filter((parameter) => parameter.in === place);
    const responses = Object.entries(operation.responses).sort(([a], [b]) => a.localeCompare(b));
    const headers = this.parameters(where("header"), "Headers");
    return el("article", {id: operation.operationId},
      el("p", {className: "rpc"}, operation.operationId.replace("_", ".")),
      el("h3", {}, el("span", {className: "verb " + verb}, verb.toUpperCase()), " ", el("a", {href: "#" + operation.operationId}, path),
        operation.security && !operation.security.length ? el("span", {className: "tag"}, "no key") : "",
        operation.responses["200"]?.content?.["text/event-stream"] ? el("span", {className: "tag"}, "stream") : ""),
      el("p", {className: "summary"}, operation.summary),
      ...prose(operation.description),
      el("pre", {}, el("code", {}, this.command(verb, path, operation))),
      this.parameters(where("path"), "Path"), this.parameters(where("query"), "Query"), this.body(operation),
      headers ? el("details", {className: "more"}, el("summary", {}, "Headers"), headers.lastChild) : null,
      el("section", {}, el("h4", {}, "Responses"), ...responses.map(([code, response]) => this.response(code, response))));
  }

  draw() {
    const {doc} = this;
    document.title = doc.info.title + " API";
    document.querySelector("#about").replaceChildren(
      el("h1", {}, doc.info.title + " API ", el("small", {}, doc.info.version)),
      el("p", {className: "summary"}, doc.info.summary), ...prose(doc.info.description),
      el("p", {}, el("a", {href: "openapi.json"}, "openapi.json"), ": the same for programs, OpenAPI " + doc.openapi + "."));
    const index = document.querySelector("#index");
    const operations = document.querySelector("#operations");
    for (const tag of doc.tags) {
      const links = el("ul", {});
      operations.append(el("h2", {}, tag.name), ...prose(tag.description));
      for (const [path, verbs] of Object.entries(doc.paths)) {
        for (const [verb, operation] of Object.entries(verbs).filter(([, each]) => each.tags.includes(tag.name))) {
          operations.append(this.operation(verb, path, operation));
          links.append(el("li", {}, el("a", {href: "#" + operation.operationId, title: `${verb.toUpperCase()} ${path}\n${operation.summary}`},
            el("span", {className: "verb " + verb}, verb.toUpperCase()), " ", operation.operationId.split("_").pop())));
        }
      }
      index.append(el("h2", {}, tag.name), links);
    }
  }
}

// filter hides the links that do not contain the typed text.
function filter() {
  const text = document.querySelector("#filter").value.trim().toLowerCase();
  for (const item of document.querySelectorAll("#index li")) {
    item.hidden = !(item.textContent + item.firstChild.title).toLowerCase().includes(text);
  }
  for (const title of document.querySelectorAll("#index h2")) {
    title.hidden = !title.nextElementSibling.querySelector("li:not([hidden])");
  }
}

async function main() {
  const response = await fetch("openapi.json");
  new Page(await response.json()).draw();
  document.querySelector("#filter").addEventListener("input", filter);
  if (location.hash) document.querySelector(location.hash)?.scrollIntoView();
}

main().catch((failure) => {
  document.querySelector("#about").append(el("p", {className: "failure"}, "The document cannot be shown: " + failure.message));
});
