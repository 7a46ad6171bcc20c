// What pages do by themselves: keys in lists, an answer that can be taken back, the slider's words.
"use strict";


const UNDO_MS = 5000;
let waiting = null; // the answer that is not sent yet: {form, row, timer}

function rows() {
  return [...document.querySelectorAll("[data-keys] > li:not(.gone, [data-empty])")];
}

function active() {
  return document.querySelector("[data-keys] > li.active");
}

function choose(row) {
  active()?.classList.remove("active");
  if (!row) return;
  row.classList.add("active");
  row.setAttribute("tabindex", "-1");
  row.focus();
}

function move(step) {
  const all = rows();
  const place = all.indexOf(active());
  choose(all[Math.min(Math.max(place + step, 0), all.length - 1)]);
}

function send(answer) {
  clearTimeout(answer.timer);
  const body = new FormData(answer.form);
  body.append(answer.button.name, answer.button.value);
  // keepalive: what was decided is sent though the page is left
  fetch(answer.form.action, { method: "POST", body, keepalive: true, redirect: "manual" })
    .then((reply) => {
      if (reply.type === "opaqueredirect" || reply.ok) answer.row.remove();
      else answer.row.classList.remove("gone");
    })
    .catch(() => answer.row.classList.remove("gone"));
  document.querySelector(".undo")?.remove();
  waiting = null;
}

function hold(form, button) {
  if (waiting) send(waiting);
  const row = form.closest("li");
  const next = rows()[rows().indexOf(row) + 1];
  row.classList.add("gone");
  const words = document.querySelector("[data-keys]").dataset;
  const box = document.createElement("div");
  box.className = "undo";
  box.setAttribute("role", "status");
  box.textContent = button.dataset.said || button.textContent.trim();
  const back = document.createElement("button");
  back.type = "button";
  back.textContent = words.undo;
  back.addEventListener("click", undo);
  box.append(back);
  document.querySelector("main").append(box);
  waiting = { form, button, row, timer: setTimeout(() => send(waiting), UNDO_MS) };
  choose(next || rows()[0]);
}

function undo() {
  if (!waiting) return;
  clearTimeout(waiting.timer);
  waiting.row.classList.remove("gone");
  choose(waiting.row);
  waiting = null;
  document.querySelector(".undo")?.remove();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches("input, textarea, select")) return;
  if (event.key === "/") {
    event.preventDefault();
    document.querySelector("#quick")?.focus();
    return;
  }
  if (!document.querySelector("[data-keys]")) return;
  if (event.key === "j") move(1);
  else if (event.key === "k") move(-1);
  else if (event.key === "u") undo();
  else if (event.key === "o") active()?.querySelector("a")?.click();
  else if (event.key === "x") active()?.querySelector("input[type=checkbox]")?.click();
  else active()?.querySelector(`button[data-key="${CSS.escape(event.key)}"]`)?.click();
});

document.addEventListener("submit", (event) => {
  if (!event.target.matches("form[data-held]") || !event.submitter) return;
  event.preventDefault();
  hold(event.target, event.submitter);
});

window.addEventListener("pagehide", () => waiting && send(waiting));

document.addEventListener("input", (event) => {
  const told = event.target.dataset.tells && document.getElementById(event.target.dataset.tells);
  if (!told) return;
  const day = new Date(Date.now() - event.target.value * 86400000);
  told.textContent = event.target.value === "0" ? told.dataset.now : day.toISOString().slice(0, 10);
});

document.addEventListener("change", (event) => {
  if (event.target.matches("input[data-all]"))
    for (const box of document.querySelectorAll(event.target.dataset.all)) box.checked = event.target.checked;
  if (event.target.matches("select[data-go]")) event.target.form.submit();
});

document.addEventListener("click", (event) => {
  const copy = event.target.closest("button[data-copy]");
  if (!copy) return;
  navigator.clipboard?.writeText(document.getElementById(copy.dataset.copy).textContent);
  copy.textContent = copy.dataset.said;
});

if (rows().length) rows()[0].classList.add("active");
if (matchMedia("(max-width: 52rem)").matches) document.querySelector(".menu details")?.removeAttribute("open");
