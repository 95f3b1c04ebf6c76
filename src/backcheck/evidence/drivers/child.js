// Runs beside the code under judgement and does what the probe asks, a message at a time. Nothing said here is believed.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const read = fs.readSync, write = fs.writeSync, parse = JSON.parse, stringify = JSON.stringify;
const objects = new Map();
let buffer = "", count = 0;
process.stdout.write = (...given) => process.stderr.write(...given);

function send(message) {
  let data = Buffer.from(stringify(message) + "\n");
  while (data.length) data = data.subarray(write(1, data));
}
function receive() {
  for (;;) {
    const end = buffer.indexOf("\n");
    if (end >= 0) { const line = buffer.slice(0, end); buffer = buffer.slice(end + 1); return parse(line); }
    const piece = Buffer.alloc(65536);
    let got = 0;
    try { got = read(0, piece); } catch (error) { if (error.code !== "EAGAIN") throw error; continue; }
    if (!got) process.reallyExit(0);
    buffer += piece.toString("utf8", 0, got);
  }
}
function client(number, methods) {
  const made = {};
  for (const name of methods) made[name] = (...given) => {
    send({ kind: "held", object: number, method: name, arguments: given.map((item) => encode(item)), named: {} });
    return decode(receive());
  };
  return made;
}
function encode(value, depth = 0) {
  if (value === undefined || value === null) return { value: null };
  if (typeof value === "string" || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))) return { value };
  const prototype = typeof value === "object" ? Object.getPrototypeOf(value) : undefined;
  if (depth < 20 && prototype === Array.prototype) return { list: value.map((item) => encode(item, depth + 1)) };
  if (depth < 20 && prototype === Object.prototype)
    return { map: Object.fromEntries(Object.entries(value).map(([key, item]) => [key, encode(item, depth + 1)])) };
  objects.set(++count, value);
  return { object: count, type: typeof value };
}
function decode(said) {
  if ("value" in said) return said.value;
  if ("list" in said) return said.list.map(decode);
  if ("map" in said) return Object.fromEntries(Object.entries(said.map).map(([key, item]) => [key, decode(item)]));
  if ("held" in said) return client(said.held, said.methods);
  if ("missing" in said) return undefined;
  return objects.get(said.object);
}
const loaded = new Map();
let roots = ["."];
async function load(name) {
  if (!loaded.has(name)) {
    const file = roots.map((root) => path.resolve(root, name)).find((place) => fs.existsSync(place));
    loaded.set(name, file ? await import(pathToFileURL(file).href) : await import(name));
  }
  return loaded.get(name);
}
async function target(name) {
  const [module, where = ""] = name.split(":");
  let found = await load(module), owner;
  if (where && !(where.split(".")[0] in found) && found.default) found = found.default;
  for (const part of where.split(".").filter(Boolean)) { owner = found; found = found[part]; }
  return [found, owner];
}
async function perform(message) {
  if (message.kind === "load") {
    roots = message.paths.length ? message.paths : ["."];
    for (const name of message.modules) await load(name);
    for (const name of message.poison) {
      const last = name.split(/[.:]/).pop();
      const [, owner] = await target(name);
      owner[last] = () => undefined;
    }
    return undefined;
  }
  const given = message.arguments.map(decode);
  let [found, owner] = "target" in message ? await target(message.target) : [objects.get(message.object), undefined];
  if (message.method) { owner = found; found = found[message.method]; }
  if (typeof found === "function" && /^class\b/.test(Function.prototype.toString.call(found))) return new found(...given);
  return found.apply(owner, given);
}
(async () => {
  for (;;) {
    const request = receive();
    let answer;
    try { answer = { kind: "done", id: request.id, value: encode(await perform(request)) }; }
    catch (error) { answer = { kind: "raised", id: request.id, type: String(error && error.name), text: String(error && error.message).slice(0, 500) }; }
    send(answer);
  }
})();
