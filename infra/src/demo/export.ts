/** The content of a WordPress export, as the demo reads it. */

export interface ExportTerm {
  id?: string;
  taxonomy: string;
  slug: string;
  label: string;
  /** The slug of the parent. */
  parent?: string | undefined;
  description?: string;
}

export interface ExportComment {
  id: string;
  parent: string | undefined;
  type: string;
  isApproved: boolean;
  isWaiting: boolean;
  author: string;
  email: string;
  body: string;
}

/** An item of a menu, with the types of the source. */
export interface ExportMenuItem {
  menu: string;
  id: string;
  parent: string;
  order: number;
  title: string;
  type: string;
  objectId: string;
  url: string;
  isPublished: boolean;
}

export interface ExportItem {
  id: string;
  sourceId: string;
  /** The id of its attachment. */
  imageId: string | undefined;
  /** The key of its image in all exports; '' is the one image of all items without an attachment. */
  imageKey: string;
  parent: string | undefined;
  order: number;
  type: string;
  title: string;
  slug: string;
  status: string;
  date: string | undefined;
  body: string;
  excerpt: string;
  author: string | undefined;
  terms: ExportTerm[];
  comments: ExportComment[];
}

export interface Export {
  site: string;
  /** Posts, pages, products, attachments and others. */
  items: ExportItem[];
  terms: ExportTerm[];
  menus: { slug: string; label: string }[];
  menuItems: ExportMenuItem[];
  authors: { login: string; name: string }[];
}

/** An export with its file name and its locale. */
export interface ExportFile extends Export {
  file: string;
  locale: string;
}
