import { importCollectionSlug, maxSlugLength } from '@quire/content-model';

/** What the items of a post type become (2.3). */
export type ContentKind = 'entry' | 'attachment' | 'section' | 'menu-item' | 'skipped';

const kinds: ReadonlyMap<string, ContentKind> = new Map<string, ContentKind>([
  ['attachment', 'attachment'],
  ['wp_block', 'section'],
  ['nav_menu_item', 'menu-item'],
  ...[
    'revision',
    'custom_css',
    'customize_changeset',
    'oembed_cache',
    'user_request',
    'wp_global_styles',
    'wp_navigation',
    'wp_template',
    'wp_template_part',
    'wp_font_family',
    'wp_font_face',
  ].map((type): [string, ContentKind] => [type, 'skipped']),
]);

const collectionOfType: ReadonlyMap<string, string> = new Map([
  ['post', 'posts'],
  ['page', 'pages'],
  ['product', 'products'],
  ['testimonial', 'testimonials'],
  ['event', 'events'],
  ['faq', 'faqs'],
]);

/** What the items of a type become; any type that the source does not keep for itself is content. */
export function contentKindOf(type: string): ContentKind {
  return kinds.get(type) ?? 'entry';
}

/**
 * A collection for a post type (1.2): a known name, else the type as a slug.
 * @param taken slugs suggested for the other types of the file; `_1`, `_2`, … is added to one of them
 * @returns a slug that a collection can have
 */
export function suggestedCollection(type: string, taken: ReadonlySet<string> = new Set()): string {
  const slug = collectionOfType.get(type) ?? importCollectionSlug(type);
  for (let suffix = 0; ; suffix += 1) {
    const end = suffix === 0 ? '' : `_${suffix}`;
    const candidate = `${slug.slice(0, maxSlugLength - end.length)}${end}`;
    if (!taken.has(candidate)) return candidate;
  }
}
