import type { Transaction } from '@quire/database';
import type { contentImportApi, ResponseOf } from '@quire/internal-api';
import { pathToRoot } from '../parents/index.js';
import { keyOf, selectRecords, type StoredRecord } from '../records/index.js';
import { termKey, termSource, type SourceTerm, type TermsStep } from './source-term.js';
import {
  selectParents,
  selectPlacedTerms,
  updateParents,
  type PlacedTerm,
} from './import-terms.repository.js';

type Response = ResponseOf<typeof contentImportApi.importTerms>;

/** The longest path of ancestors that the API accepts. */
const maxAncestors = 100;

/** A term with the parent that the source names. */
interface Link {
  term: SourceTerm;
  child: PlacedTerm;
  parent: PlacedTerm | undefined;
  /** Whether this import has created the term. */
  isNew: boolean;
}

/**
 * Sets the parents of terms that exist. A term becomes a root, with the warning PARENT_MISSING, when its parent is
 * unknown, would close a cycle, or is of a flat taxonomy. A term that was there before the import keeps its parent, and
 * gets no warning: a repeated import changes nothing about it.
 */
export async function linkTerms(tx: Transaction, step: TermsStep): Promise<Response> {
  const links = await findLinks(tx, step);
  const parents = await selectParents(
    tx,
    links.flatMap(({ child, parent }) => [child.groupId, ...(parent ? [parent.groupId] : [])]),
  );
  const moves: { groupId: string; parentId: string }[] = [];
  const warnings: Response['warnings'] = [];
  for (const { term, child, parent, isNew } of links) {
    const problem = linkProblem(term, child, parent, parents);
    if (problem !== null) {
      const { taxonomy, slug } = term;
      if (isNew) warnings.push({ taxonomy, slug, code: 'PARENT_MISSING', message: problem });
    } else if (parent && child.parentId !== parent.groupId) {
      parents.set(child.groupId, parent.groupId);
      moves.push({ groupId: child.groupId, parentId: parent.groupId });
    }
  }
  await updateParents(tx, moves);
  return { created: {}, reused: {}, warnings };
}

/** @returns the terms that name a parent and may get one. */
async function findLinks(tx: Transaction, { run, locale, terms }: TermsStep): Promise<Link[]> {
  const children = terms.filter(({ parentSlug }) => parentSlug !== null && parentSlug !== '');
  if (children.length === 0) return [];
  const keyOfParent = ({ taxonomyId, parentSlug }: SourceTerm) => ({ taxonomyId, slug: parentSlug ?? '' });
  const wanted = new Map([...children, ...children.map(keyOfParent)].map((key) => [termKey(key), key]));
  const placed = await selectPlacedTerms(tx, locale, [...wanted.values()]);
  const termBy = new Map(placed.map((term) => [termKey(term), term]));
  const records = await selectRecords(
    tx,
    run.site,
    children.map((term) => termSource(term, locale)),
  );
  return children.flatMap((term): Link[] => {
    const child = termBy.get(termKey(term));
    const record = records.get(keyOf(termSource(term, locale)));
    if (!child) return [];
    const isNew = isOfImport(record, child, run.importId);
    if (child.parentId !== null && !isNew) return [];
    return [{ term, child, parent: termBy.get(termKey(keyOfParent(term))), isNew }];
  });
}

const isOfImport = (record: StoredRecord | undefined, { id }: PlacedTerm, importId: string) =>
  record?.targetId === id && record.importId === importId;

/** @returns why a term cannot be below its parent, or null. */
function linkProblem(
  { parentSlug, isHierarchical, taxonomy }: SourceTerm,
  child: PlacedTerm,
  parent: PlacedTerm | undefined,
  parents: ReadonlyMap<string, string | null>,
): string | null {
  if (!isHierarchical) return `Taxonomy '${taxonomy}' is flat: the parent '${parentSlug}' is left out`;
  if (!parent) return `The parent '${parentSlug}' does not exist`;
  const path = pathToRoot(parent.groupId, parents);
  if (path.includes(child.groupId)) return `The parent '${parentSlug}' is the term itself or below it`;
  return path.length > maxAncestors ? `The parent '${parentSlug}' has too many ancestors` : null;
}
