/** The content of an input, and its fit to the collections of the site (sheet import-and-fields, 1.2). */
export interface Analysis {
  sourceId: string;
  site: { title: string; url: string };
  /** The most frequent type first. */
  postTypes: AnalysedType[];
  attachments: { count: number; items: AnalysedAttachment[]; byType?: Partial<Record<MediaKind, number>> };
  /** Number of distinct terms. */
  categories: number;
  tags: number;
  customTaxonomies?: { slug: string; termCount: number; sampleTerms: string[] }[];
  navMenus?: { name: string; label: string; itemCount: number }[];
  reusableBlocks?: { id: number; title: string; slug: string }[];
  authors: { id?: number; login: string; email?: string; displayName: string; postCount: number }[];
  customFields: AnalysedCustomField[];
  comments?: { total: number; importable: number };
  skippedTypes?: { name: string; count: number }[];
  warnings?: { code: string; message: string; line?: number | undefined }[];
}

export interface AnalysedType {
  name: string;
  count: number;
  suggestedCollection: string;
  status?: 'ready' | 'new_collection' | 'add_fields' | 'incompatible';
  requiredFields: { slug: string; label: string; type: string; required: boolean; searchable?: boolean }[];
  schemaStatus: {
    exists: boolean;
    canImport: boolean;
    reason?: string;
    fieldStatus: Record<
      string,
      { status: 'compatible' | 'missing' | 'type_mismatch'; existingType?: string; requiredType: string }
    >;
  };
}

export type MediaKind = 'image' | 'video' | 'audio' | 'document' | 'other';

export interface AnalysedAttachment {
  id?: number;
  title?: string;
  url?: string;
  filename?: string;
  mimeType?: string;
  alt?: string;
  caption?: string;
  width?: number;
  height?: number;
}

export interface AnalysedCustomField {
  key: string;
  count: number;
  samples: string[];
  suggestedField: string;
  suggestedType: 'string' | 'number' | 'boolean' | 'date' | 'json';
  isInternal: boolean;
}
