import type { ExportTerm } from '../reading/export-channel.js';
import type { ExportItem, ExportItemTerm } from '../reading/export-item.js';
import { plainText } from './title.js';
import { decodeSlug, termSlug } from './slug.js';
import { isContentTaxonomy, menuTaxonomy, taxonomyName } from './taxonomies.js';

/** A term that an item is assigned to. */
export interface TermAssignment {
  /** The source's name of the taxonomy, with `post_tag` for `tag`. */
  sourceTaxonomy: string;
  /** The name of `taxonomyName`. */
  taxonomy: string;
  /** Decoded; null if the source names no slug: the term is found by its name, or gets the slug of it. */
  slug: string | null;
  name: string;
}

/** A term as the import creates it. */
export interface DeclaredTerm {
  id: number | null;
  sourceTaxonomy: string;
  taxonomy: string;
  slug: string;
  /** The slug of the parent, which may be declared later or never; null for none. */
  parent: string | null;
  name: string;
  description: string;
}

/** A menu, which the source keeps as a term. */
export interface DeclaredMenu {
  slug: string;
  name: string;
}

/**
 * The terms of an item without repetitions, those with a slug first (2.5). Old files repeat each assignment without its
 * slug; such an element counts only if no element with a slug replaces it. Menus, formats and languages are left out.
 */
export function assignmentsOf(item: Pick<ExportItem, 'terms'>): TermAssignment[] {
  const isNamed = (term: ExportItemTerm) => term.nicename !== null;
  const hasNamed = item.terms.some(isNamed);
  const assignments: TermAssignment[] = [];
  const seen = new Set<string>();
  for (const term of [...item.terms.filter(isNamed), ...item.terms.filter((other) => !isNamed(other))]) {
    if (term.domain === null && term.nicename === null && hasNamed) continue;
    const assignment = assignmentOf(term);
    if (assignment === null) continue;
    const [bySlug, byName] = keysOf(assignment);
    const isRepeated = seen.has(bySlug ?? byName);
    seen.add(byName);
    if (bySlug !== null) seen.add(bySlug);
    if (!isRepeated) assignments.push(assignment);
  }
  return assignments;
}

/**
 * Normalises a declared term (2.5).
 * @returns null if its taxonomy is not content (`declaredMenu` reads menus), or it has neither slug nor name
 */
export function declaredTerm(term: ExportTerm): DeclaredTerm | null {
  if (!isContentTaxonomy(term.taxonomy)) return null;
  const slug = termSlug(term.slug || null, term.name);
  if (slug === null) return null;
  return {
    id: term.id,
    sourceTaxonomy: sourceTaxonomyOf(term.taxonomy),
    taxonomy: taxonomyName(term.taxonomy),
    slug,
    parent: isRoot(term.parent) ? null : termSlug(term.parent, ''),
    name: plainText(term.name) || slug,
    description: term.description.trim(),
  };
}

/** The menu that a declared term is, or null for any other term. */
export function declaredMenu(term: ExportTerm): DeclaredMenu | null {
  if (term.taxonomy !== menuTaxonomy) return null;
  const slug = decodeSlug(term.slug);
  return slug === '' ? null : { slug, name: plainText(term.name) || slug };
}

function assignmentOf({ domain, nicename, name: rawName }: ExportItemTerm): TermAssignment | null {
  const source = domain ?? 'category';
  if (!isContentTaxonomy(source)) return null;
  const slug = nicename === null ? null : termSlug(nicename, rawName);
  const name = plainText(rawName) || (slug ?? '');
  if (name === '') return null;
  return { sourceTaxonomy: sourceTaxonomyOf(source), taxonomy: taxonomyName(source), slug, name };
}

/** What a term is recognised by: its slug, or its name where the source names no slug. */
function keysOf({ sourceTaxonomy, slug, name }: TermAssignment): [bySlug: string | null, byName: string] {
  return [slug === null ? null : `${sourceTaxonomy}/slug/${slug}`, `${sourceTaxonomy}/name/${name}`];
}

function sourceTaxonomyOf(domain: string): string {
  return domain === 'tag' ? 'post_tag' : domain;
}

function isRoot(parent: string): boolean {
  return parent === '' || parent === '0';
}
