/** The default content of a new site. Bodies are those of API requests. */
export interface Seed {
  name: string;
  description: string;
  /** Created before the collections, whose blocks fields name them. */
  blockTypes: readonly SeedBlockType[];
  collections: readonly SeedCollection[];
  taxonomies: readonly SeedTaxonomy[];
  /** Example entries of the collections. */
  entries: readonly SeedEntry[];
}

export interface SeedBlockType {
  slug: string;
  label: string;
  description?: string;
  icon?: string;
  category?: string;
  fields: readonly SeedField[];
}

export interface SeedCollection {
  slug: string;
  label: string;
  labelSingular: string;
  supports: readonly string[];
  fields: readonly SeedField[];
}

export interface SeedField {
  slug: string;
  label: string;
  type: string;
  required?: boolean;
  searchable?: boolean;
  validation?: object;
}

export interface SeedTaxonomy {
  name: string;
  label: string;
  labelSingular: string;
  hierarchical: boolean;
  collections: string[];
}

export interface SeedEntry {
  collection: string;
  slug: string;
  data: Record<string, unknown>;
}

const supports = ['drafts', 'revisions', 'search'];
const title = { slug: 'title', label: 'Title', type: 'string', required: true, searchable: true };
const content = { slug: 'content', label: 'Content', type: 'portableText', searchable: true };

/** The seed of sites without a seed of their own (contract 38). */
export const defaultSeed: Seed = {
  name: 'Blog',
  description: 'Posts with categories and tags, and pages',
  blockTypes: [],
  collections: [
    {
      slug: 'posts',
      label: 'Posts',
      labelSingular: 'Post',
      supports,
      fields: [
        title,
        { slug: 'featured_image', label: 'Featured image', type: 'image' },
        content,
        { slug: 'excerpt', label: 'Excerpt', type: 'text' },
      ],
    },
    { slug: 'pages', label: 'Pages', labelSingular: 'Page', supports, fields: [title, content] },
  ],
  taxonomies: [
    {
      name: 'category',
      label: 'Categories',
      labelSingular: 'Category',
      hierarchical: true,
      collections: ['posts'],
    },
    { name: 'tag', label: 'Tags', labelSingular: 'Tag', hierarchical: false, collections: ['posts'] },
  ],
  entries: [
    {
      collection: 'posts',
      slug: 'welcome',
      data: {
        title: 'Welcome to your new site',
        excerpt: 'A first post, to change or to throw away.',
        content: paragraphs(
          'This post shows what one looks like. Change it, or move it to the trash and write your own.',
          'Posts are drafts until they are published. A change to a published post waits as a draft until you publish it.',
        ),
      },
    },
    {
      collection: 'pages',
      slug: 'about',
      data: {
        title: 'About',
        content: paragraphs('Pages hold what does not age: who you are, and how to reach you.'),
      },
    },
  ],
};

/** Rich text of plain paragraphs. */
function paragraphs(...texts: string[]): object[] {
  return texts.map((text, index) => ({
    _type: 'block',
    _key: `p${index}`,
    style: 'normal',
    markDefs: [],
    children: [{ _type: 'span', _key: `p${index}s`, text, marks: [] }],
  }));
}
