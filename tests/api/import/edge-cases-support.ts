import { beforeAll } from '@jest/globals';
import type { ApiResponse, Client, Site } from '@quire/testing';
import { allEntries, exampleFile, importFile, type Entry } from './support.js';

/** The site that `edge-cases.xml` was imported into, and what the import left. */
export interface ImportedEdgeCases {
  admin: Client;
  /** The summary of the import. */
  summary: ApiResponse['data'];
  /** Every entry of the site, in no order. */
  entries: Entry[];
  /** The entry whose title begins so. @throws Error unless there is one */
  entry(titleBegin: string): Entry;
  /** Its rich text without keys. */
  content(titleBegin: string): unknown;
  /** Codes and messages of the warnings about it. */
  warnings(titleBegin: string): [string, string][];
  warningCodes(titleBegin: string): string[];
}

/** Registers a hook that imports `edge-cases.xml` with everything on, into an empty site. */
export function useEdgeCases(site: Site): ImportedEdgeCases {
  const imported = {} as ImportedEdgeCases;
  beforeAll(async () => {
    const admin = await site.as('admin');
    const summary = await importFile(admin, exampleFile('edge-cases.xml'));
    const entries = Object.values(await allEntries(admin)).flat();
    Object.assign(imported, { admin, summary, entries });
  });
  imported.entry = (titleBegin) => {
    const found = imported.entries.filter(({ data }) => String(data.title).startsWith(titleBegin));
    if (found.length !== 1) throw new Error(`${found.length} entries begin with '${titleBegin}'`);
    return found[0] as Entry;
  };
  imported.content = (titleBegin) => withoutKeys(imported.entry(titleBegin).data.content);
  imported.warnings = (titleBegin) =>
    (imported.summary.warnings as { title: string; code: string; message: string }[])
      .filter(({ title }) => title.startsWith(titleBegin))
      .map(({ code, message }) => [code, message]);
  imported.warningCodes = (titleBegin) => imported.warnings(titleBegin).map(([code]) => code);
  return imported;
}

/** Rich text without its `_key`s, which carry no meaning. */
export function withoutKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutKeys);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => name !== '_key');
  return Object.fromEntries(members.map(([name, member]) => [name, withoutKeys(member)]));
}

export const span = (text: string, ...marks: string[]) => ({ _type: 'span', text, marks });

/** A text block. @param children its spans, or the text of the only one */
export const block = (children: string | ReturnType<typeof span>[], more: object = {}) => ({
  _type: 'block',
  style: 'normal',
  markDefs: [],
  children: typeof children === 'string' ? [span(children)] : children,
  ...more,
});

/** A list item. */
export const listItem = (listItem: 'bullet' | 'number', level: number, text: string) =>
  block(text, { listItem, level });

const uploads = 'https://old.example/wp-content/uploads/2024/05';
/** The address of an uploaded file at the source. */
export const upload = (name: string) => `${uploads}/${name}`;

/** A reference to an attachment of the source. */
export const asset = (_ref: string, url: string) => ({ _type: 'reference', _ref, url });
