/**
 * Storage of pending saves in the browser, so that they outlive the tab: a table in IndexedDB, and Web Locks, which show
 * which pages are open. A site below a path of a host has separate names.
 */

/** @import { KeptKey, KeptSave, Locks, Store } from "./logic/left_saves.js" */

const TABLE = "saves";

/**
 * Opens what the browser keeps for a site. Rejects where it keeps nothing: without HTTPS, or where it was told not to.
 *
 * @param {string} site The address of its first page.
 * @returns {Promise<{ store: Store, locks: Locks, owner: string }>} `owner`: the name under which this page keeps its own.
 */
export async function openKept(site) {
  if (!("locks" in navigator)) throw new Error("Web Locks need HTTPS.");
  const name = `translatio ${site}`;
  const store = storeIn(await opened(name));
  const owner = crypto.randomUUID();
  // Held until the page closes.
  await new Promise((go) => void navigator.locks.request(`${name} ${owner}`, () => new Promise(() => go(undefined))));
  return { store, locks: locksOf(name), owner };
}

/**
 * @param {string} name
 * @returns {Promise<IDBDatabase>}
 */
function opened(name) {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(name, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(TABLE, { keyPath: ["person", "owner", "url"] });
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

/**
 * @param {IDBDatabase} database
 * @returns {Store}
 */
function storeIn(database) {
  /**
   * Resolves when all is written, with what was asked for.
   *
   * @template T
   * @param {IDBTransactionMode} mode
   * @param {(table: IDBObjectStore) => IDBRequest<T>} ask
   * @returns {Promise<T>}
   */
  const within = (mode, ask) =>
    new Promise((resolve, reject) => {
      let transaction;
      try {
        transaction = database.transaction(TABLE, mode);
      } catch (error) {
        // The page is being left, and nobody waits for what it would have shown.
        if (mode === "readonly" && error instanceof DOMException && error.name === "InvalidStateError") return;
        throw error;
      }
      const asked = ask(transaction.objectStore(TABLE));
      transaction.oncomplete = () => resolve(asked.result);
      // As when the disk is full.
      transaction.onabort = () => reject(transaction.error);
    });
  return {
    all: (person) => within("readonly", (table) => table.getAll(IDBKeyRange.bound([person], [person, []]))),
    put: async (save) => void (await within("readwrite", (table) => table.put(save))),
    remove: ({ person, owner, url }) => within("readwrite", (table) => table.delete([person, owner, url])),
    any: async () => (await within("readonly", (table) => table.count())) > 0,
  };
}

/**
 * @param {string} name
 * @returns {Locks}
 */
function locksOf(name) {
  const start = `${name} `;
  return {
    held: async () => {
      const { held = [] } = await navigator.locks.query();
      return new Set(held.flatMap(({ name: one = "" }) => (one.startsWith(start) ? [one.slice(start.length)] : [])));
    },
    run: async (one, run) => void (await navigator.locks.request(start + one, run)),
  };
}
