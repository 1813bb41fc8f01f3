// Keeps what is written into fields with data-draft until the page shows that it has arrived: a reload, a lost
// connection and a form that was refused lose nothing. Whoever signs out leaves no drafts behind.
"use strict";

(() => {
  const player = document.currentScript.dataset.player;
  const BEGIN = "draft:";
  const mine = `${BEGIN}${player}:`;
  const nameOf = (field) => `${mine}${location.pathname}#${field.id}`;

  let store;
  try {
    store = window.localStorage;
    for (const name of Object.keys(store)) {
      if (name.startsWith(BEGIN) && !(player && name.startsWith(mine))) store.removeItem(name);
    }
  } catch {
    return;
  }

  const versionOf = (field) => field.form && field.form.elements.namedItem("version");
  const same = (one, other) => one.replaceAll("\r\n", "\n").trim() === other.replaceAll("\r\n", "\n").trim();

  // Whether what was sent stands on the page: in the field itself, or among what was said.
  function arrived(field, text) {
    if (same(field.defaultValue, text)) return true;
    const said = field.dataset.draft && document.querySelectorAll(field.dataset.draft);
    return Boolean(said) && [...said].some((each) => same(each.firstChild ? each.firstChild.textContent : "", text));
  }

  function keep(field, sent) {
    try {
      if (!sent && same(field.value, field.defaultValue)) {
        store.removeItem(nameOf(field));
        return;
      }
      const version = versionOf(field);
      store.setItem(nameOf(field), JSON.stringify({ text: field.value, version: version && version.value, sent }));
    } catch {
      // A full or forbidden store: the field itself still has the text.
    }
  }

  function restore(field) {
    let draft;
    try {
      draft = JSON.parse(store.getItem(nameOf(field)));
    } catch {
      draft = null;
    }
    if (!draft || typeof draft.text !== "string") return;
    if (same(field.defaultValue, draft.text) || (draft.sent && arrived(field, draft.text))) {
      store.removeItem(nameOf(field));
      return;
    }
    field.value = draft.text;
    // It was written upon what the page showed then: if that has changed since, the server says so.
    const version = versionOf(field);
    if (version && draft.version) version.value = draft.version;
  }

  for (const field of document.querySelectorAll("[data-draft]")) {
    restore(field);
    field.addEventListener("input", () => keep(field, false));
    if (field.form) {
      field.form.addEventListener("submit", () => { if (field.value.trim()) keep(field, true); });
    }
  }
})();
