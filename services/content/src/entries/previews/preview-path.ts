/** What stands in for the placeholders of a pattern. */
export interface PreviewTarget {
  collection: string;
  id: string;
  slug: string | null;
  /** Empty for the default locale. */
  locale: string;
}

/** Whether a pattern is a path on the site itself: no scheme and no other host. */
export function isSitePath(pattern: string): boolean {
  return /^\/(?![/\\])/.test(pattern) && !/[\\\p{Cc}]/u.test(pattern);
}

/**
 * The path of an entry by a pattern such as `/{locale}/{collection}/{slug}`. An empty part leaves no empty segment
 * behind; an entry without a slug is named by its id.
 */
export function previewPath(pattern: string, { collection, id, slug, locale }: PreviewTarget): string {
  const values: Record<string, string> = { collection, id, slug: slug ?? id, locale };
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(pattern) ?? [];
  const fill = (text: string) =>
    text.replace(/\{(collection|id|slug|locale)\}/g, (_, name: string) =>
      encodeURIComponent(values[name] ?? ''),
    );
  return fill(path).replace(/\/{2,}/g, '/') + fill(rest);
}

/** A path with one more parameter in its query. */
export function withParameter(path: string, name: string, value: string): string {
  const [, before = '', fragment = ''] = /^([^#]*)(.*)$/s.exec(path) ?? [];
  return `${before}${before.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}${fragment}`;
}
