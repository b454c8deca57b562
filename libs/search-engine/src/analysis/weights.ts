import type { SearchIndex } from '../port/search-index.js';

/** How many weights are told apart: PostgreSQL marks words with one of four letters. */
export const weightClasses = 4;
const defaultWeight = 1;
const titleFactor = 10;

/** The classes of weight of an index, heaviest first. */
export interface Weighting {
  /** Of each class, the heaviest being 1. */
  weights: readonly number[];
  /** Null where the title is not to be found. */
  titleClass: number | null;
  classOf(field: string): number;
}

/** Tells what matches in title and fields count. The three greatest weights are kept apart; all others count as one. */
export function weighting({ weights, titleWeight }: SearchIndex): Weighting {
  const given = [defaultWeight, ...Object.values(weights)];
  const title = titleWeight ?? titleFactor * Math.max(...given);
  const isTitleFound = title > 0;
  const distinct = [...new Set(isTitleFound ? [title, ...given] : given)]
    .sort((one, other) => other - one)
    .slice(0, weightClasses);
  const greatest = distinct[0] ?? defaultWeight;
  const classOfWeight = (weight: number) => {
    const place = distinct.indexOf(weight);
    return place < 0 ? weightClasses - 1 : place;
  };
  return {
    weights: Array.from(
      { length: weightClasses },
      (_, place) => (distinct[place] ?? distinct.at(-1) ?? defaultWeight) / greatest,
    ),
    titleClass: isTitleFound ? classOfWeight(title) : null,
    classOf: (field) =>
      classOfWeight(Object.hasOwn(weights, field) ? (weights[field] ?? defaultWeight) : defaultWeight),
  };
}
