import { searchableTitle, plainDocuments, weightedTexts, type PlainDocument } from '../analysis/document.js';
import { fold } from '../analysis/folding.js';
import { cutText } from '../analysis/plain-text.js';
import { titleKey } from '../analysis/query.js';
import { trigramsOf, trigramText } from '../analysis/trigrams.js';
import { weightClasses, weighting, type Weighting } from '../analysis/weights.js';
import { wordsOf, type WordTokenizer } from '../analysis/words.js';
import type { IndexDocument, SearchIndex, SearchStatus } from '../port/search-index.js';

/** A view of a document as a row of its index's table; see index-table.ts. */
export interface IndexRow {
  id: string;
  version: number;
  view: number;
  statuses: readonly SearchStatus[];
  locale: string;
  slug: string | null;
  title: string | null;
  title_key: string | null;
  texts: string[];
  /** Texts of tsvectors. */
  title_terms: string;
  terms: string;
  /** Only with `trigram`: a text for each class of weight. */
  folded: string[] | null;
}

const classLetters = 'ABCD';
/** PostgreSQL's maximum position; later words are found, but not in phrases. */
const lastPosition = 16_383;
/** Gap between the positions of two texts, so that no phrase crosses them. */
const gap = 10;
/** An index key may have 2 704 bytes. */
export const titleKeyCharacters = 200;

/** A lexeme, quoted for the text of a tsvector or a tsquery. */
export const lexeme = (term: string) => `'${term.replace(/['\\]/gu, '$&$&')}'`;

/** Creates the rows of a document. */
export function indexRows(document: IndexDocument, index: SearchIndex): IndexRow[] {
  return plainDocuments(document, index).map((plain) => indexRow(plain, index));
}

function indexRow(plain: PlainDocument, index: SearchIndex): IndexRow {
  const { fields, ...row } = plain;
  const { title } = row;
  const classes = weighting(index);
  return {
    ...row,
    title_key: title === null ? null : cutText(titleKey(title), titleKeyCharacters),
    texts: fields.map(({ text }) => text),
    ...(index.tokenizer === 'trigram'
      ? trigramColumns(plain, classes)
      : wordColumns(plain, classes, index.tokenizer)),
  };
}

function wordColumns(document: PlainDocument, classes: Weighting, tokenizer: WordTokenizer) {
  const entries: string[] = [];
  let position = 0;
  // Short texts first: a long one must not use up the positions of the others.
  const texts = [...weightedTexts(document, classes)].sort(
    (one, other) => one.text.length - other.text.length,
  );
  for (const { text, weightClass } of texts) {
    const letter = classLetters[weightClass] ?? 'D';
    for (const { term, surfaceForm } of wordsOf(fold(text), tokenizer)) {
      position = Math.min(position + 1, lastPosition);
      const place = `:${position}${letter}`;
      entries.push(lexeme(term) + place);
      // The written word is included, so that its prefixes match.
      if (surfaceForm !== term) entries.push(lexeme(surfaceForm) + place);
    }
    position = Math.min(position + gap, lastPosition);
  }
  const words = [...wordsOf(fold(searchableTitle(document, classes)), tokenizer)];
  const title = words.flatMap(({ term, surfaceForm }, place) =>
    [...new Set([term, surfaceForm])].map((word) => `${lexeme(word)}:${Math.min(place + 1, lastPosition)}`),
  );
  return { title_terms: title.join(' '), terms: entries.join(' '), folded: null };
}

function trigramColumns(document: PlainDocument, classes: Weighting) {
  const texts = weightedTexts(document, classes).map(({ text, weightClass }) => ({
    text: trigramText(text),
    weightClass,
  }));
  const vector = (parts: readonly string[]) =>
    [...new Set(parts.flatMap((text) => trigramsOf(text)))].map(lexeme).join(' ');
  return {
    title_terms: vector([trigramText(searchableTitle(document, classes))]),
    terms: vector(texts.map(({ text }) => text)),
    folded: Array.from({ length: weightClasses }, (_, place) =>
      texts
        .filter(({ weightClass }) => weightClass === place)
        .map(({ text }) => text)
        .join('\n'),
    ),
  };
}
