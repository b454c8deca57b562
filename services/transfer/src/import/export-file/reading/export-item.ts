/** An item of an export file (2.2). Strings are decoded from XML once; ids, slugs, dates and logins are trimmed. */
export interface ExportItem {
  /** `wp:post_id`; null if missing or not a whole number. */
  sourceId: number | null;
  /** `wp:post_type`; `post` if missing. */
  type: string;
  title: string;
  link: string;
  pubDate: string;
  /** The author's login; null if empty. */
  creator: string | null;
  guid: string;
  content: string;
  excerpt: string;
  /** Local time of the source, `YYYY-MM-DD HH:MM:SS`, as the other three dates. Empty if missing. */
  date: string;
  dateGmt: string;
  modified: string;
  modifiedGmt: string;
  commentStatus: string;
  /** `wp:post_name` as written: percent-encoded, possibly empty. */
  slug: string;
  status: string;
  /** 0 for none. */
  parentId: number;
  menuOrder: number;
  password: string;
  isSticky: boolean;
  attachmentUrl: string | null;
  terms: ExportItemTerm[];
  meta: ExportMeta[];
  comments: ExportComment[];
  /** Whether control characters were left out somewhere in the item. */
  removedControlCharacters: boolean;
}

/** A `category` element of an item. */
export interface ExportItemTerm {
  domain: string | null;
  nicename: string | null;
  name: string;
}

export interface ExportMeta {
  key: string;
  value: string;
}

/** A comment of an item; the address of its author's computer is not read (2.7). */
export interface ExportComment {
  id: number | null;
  author: string;
  authorEmail: string;
  authorUrl: string;
  date: string;
  dateGmt: string;
  content: string;
  /** `1`, `0`, `spam`, `trash`, `post-trashed`. */
  approved: string;
  type: string;
  /** 0 for none. */
  parentId: number;
  /** 0 for none. */
  userId: number;
}
