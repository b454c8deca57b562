import type { SearchIndex } from '../port/search-index.js';

/** Number of weight classes: PostgreSQL marks words with one of four letters. */
export const weightClasses = 4;
const defaultWeight = 1;
const titleFactor = 10;

/** The weight classes of an index, heaviest first. */
export interface Weighting {
  /** Weight of each class; the heaviest is 1. */
  weights: readonly number[];
  /** Null where the title is not searchable. */
  titleClass: number | null;
  classOf(field: string): number;
}

/** The weights of title and fields. The three greatest weights are separate classes; all others share one. */
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
