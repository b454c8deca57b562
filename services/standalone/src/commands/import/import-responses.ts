/** The fields of responses that the command reads (contract 1.2 to 1.6). */
export interface Analysis {
  importId: string | null;
  site: { title: string; url: string };
  postTypes: {
    name: string;
    count: number;
    suggestedCollection: string;
    requiredFields: object[];
  }[];
  attachments: { items: { id?: number; url?: string; filename?: string; mimeType?: string }[] };
}

export interface Prepared {
  collectionsCreated: string[];
  fieldsCreated: { collection: string; field: string }[];
  errors: { collection: string; error: string }[];
}

export interface ImportSummary {
  success: boolean;
  importId: string;
  byType: Record<string, Record<'items' | 'imported' | 'updated' | 'skipped' | 'failed', number>>;
  errors: { title: string; error: string }[];
  totals: { errors: number; warnings: number };
  taxonomies: { termsCreated: Record<string, number>; assignments: number };
  sections: { created: number };
  comments: { imported: number; skipped: number };
  menus: { created: number; items: number };
  mediaReferences: number;
  durationMs: number;
}

export type ImportLine =
  | { type: 'progress'; importId: string; phase: string; current: number; total: number }
  | ({ type: 'result' } & ImportSummary)
  | { type: 'paused'; importId: string };

export interface FailedMedia {
  legacyId?: number;
  originalUrl: string;
  error: string;
}

export interface RewrittenUrls {
  updated: number;
  urlsRewritten: number;
  errors: { collection: string; id: string; error: string }[];
}

export type MediaLine =
  | { type: 'progress'; current: number; total: number; filename?: string; status: string }
  | {
      type: 'result';
      imported: { originalUrl: string; newUrl: string }[];
      failed: FailedMedia[];
      urlMap: Record<string, string>;
    };
