/** The values of the placeholders in a pattern. */
export interface PreviewTarget {
  collection: string;
  id: string;
  slug: string | null;
  /** Empty for the default locale. */
  locale: string;
}

/** Whether a pattern is a path on the site: it has no scheme and no host. */
export function isSitePath(pattern: string): boolean {
  return /^\/(?![/\\])/.test(pattern) && !/[\\\p{Cc}]/u.test(pattern);
}

/**
 * Fills in a pattern such as `/{locale}/{collection}/{slug}`. An empty value leaves no empty segment; an entry without
 * a slug is named by its id.
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

/** Adds a parameter to the query of a path. */
export function withParameter(path: string, name: string, value: string): string {
  const [, before = '', fragment = ''] = /^([^#]*)(.*)$/s.exec(path) ?? [];
  return `${before}${before.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}${fragment}`;
}
