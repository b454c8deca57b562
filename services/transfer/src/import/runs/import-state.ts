import type { Namespaces, SerialisedOffsets } from '../export-file/index.js';

/** What happened to an item. */
export type ItemState = 'pending' | 'imported' | 'updated' | 'skipped' | 'failed';

/** The configuration of an import (contract 1.4), complete. */
export interface ImportConfig {
  /** Collection of each imported post type. */
  mappings: Record<string, string>;
  /** Whether entries whose slug exists are left out. */
  skipExisting: boolean;
  /** Users by login of the source; null for a guest. */
  authorMappings: Record<string, string | null>;
  locale: string;
  importSections: boolean;
  importComments: boolean;
  importMenus: boolean;
}

/** What the file says of its site; it is needed to read single items. */
export interface ImportChannel {
  title: string;
  /** Address of the source site. */
  siteUrl: string;
  version: string;
  /** Prefixes of namespaces, see `parseItem`. */
  namespaces: Namespaces;
  /** Differences between local time and UTC, see `OffsetSamples`. */
  offsets: SerialisedOffsets | null;
  /** Addresses that the folder of uploads has or had, see `UploadBases`. */
  uploadBases: string[];
  /** Taxonomies with terms that the file declares or assigns, by the name that they get here. */
  taxonomies: Record<string, SourceTaxonomy>;
}

/** Of an import whose file is being received. */
export const emptyChannel: ImportChannel = {
  title: '',
  siteUrl: '',
  version: '',
  namespaces: {},
  offsets: null,
  uploadBases: [],
  taxonomies: {},
};

/** A taxonomy of the source. */
export interface SourceTaxonomy {
  label: string;
  hierarchical: boolean;
  /** Types of the items that have its terms. */
  postTypes: string[];
}

/** Numbers of items by what happened to them. */
export type ItemCounts = Record<Exclude<ItemState, 'pending'>, number>;

export const noItems: ItemCounts = { imported: 0, updated: 0, skipped: 0, failed: 0 };

/** Counts of an import so far. */
export interface ImportCounts {
  /** Objects of the present phase, and how many of them are done; at the end, all items of the file. */
  phase: { done: number; total: number };
  /** Entries, also failed ones that became drafts. */
  entries: ItemCounts;
  /** Items of the file by type and what happened to them; set at the end. */
  byType: Record<string, ItemCounts>;
  /** Failed entries that were saved as drafts. */
  drafts: number;
  byCollection: Record<string, number>;
  termsCreated: Record<string, number>;
  termsReused: Record<string, number>;
  assignments: number;
  mediaReferences: number;
  sections: { created: number; skipped: number };
  comments: { imported: number; skipped: number };
  menus: { created: number; items: number };
  /** All of them; `import_issues` has the first ones. */
  warnings: number;
  errors: number;
}

export const noCounts: ImportCounts = {
  phase: { done: 0, total: 0 },
  entries: noItems,
  byType: {},
  drafts: 0,
  byCollection: {},
  termsCreated: {},
  termsReused: {},
  assignments: 0,
  mediaReferences: 0,
  sections: { created: 0, skipped: 0 },
  comments: { imported: 0, skipped: 0 },
  menus: { created: 0, items: 0 },
  warnings: 0,
  errors: 0,
};

/** The value of a key that comes from a file: `constructor` is a key like any other. */
export function lookUp<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** Adds numbers to sums. */
export function addTo(sums: Record<string, number>, numbers: Readonly<Record<string, number>>): void {
  for (const [name, number] of Object.entries(numbers)) sums[name] = (lookUp(sums, name) ?? 0) + number;
}
