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
  namespaces: Record<string, string>;
  /** Differences between local time and UTC, see `OffsetSamples`. */
  offsets: unknown;
}

/** Counts of an import so far. */
export interface ImportCounts {
  byCollection: Record<string, number>;
  termsCreated: Record<string, number>;
  termsReused: Record<string, number>;
  assignments: number;
  missingTaxonomies: string[];
  mediaReferences: number;
  sections: { created: number; skipped: number };
  comments: { imported: number; skipped: number };
  menus: { created: number; items: number };
  /** All of them; `import_issues` has the first ones. */
  warnings: number;
  errors: number;
}

export const noCounts: ImportCounts = {
  byCollection: {},
  termsCreated: {},
  termsReused: {},
  assignments: 0,
  missingTaxonomies: [],
  mediaReferences: 0,
  sections: { created: 0, skipped: 0 },
  comments: { imported: 0, skipped: 0 },
  menus: { created: 0, items: 0 },
  warnings: 0,
  errors: 0,
};
