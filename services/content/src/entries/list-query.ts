import type { KeysetPosition } from '@quire/database';

/** What a list of entries is asked for, as parsed from the query. */
export interface ListQuery {
  cursor?: string | undefined;
  limit: number;
  status?: string | undefined;
  orderBy: string;
  order: 'asc' | 'desc';
  locale?: string | undefined;
  q?: string | undefined;
  authorId?: string | undefined;
  dateField?: 'createdAt' | 'updatedAt' | 'publishedAt' | undefined;
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
  bylines?: 'none' | string[] | undefined;
  includeInferredBylines: boolean;
  fieldFilters?: FieldFilters | undefined;
  /** By taxonomy, slugs of terms: any of them, and so in every taxonomy that is named. */
  termFilters?: Record<string, string[]> | undefined;
}

export type Scalar = string | number | boolean;

/** Condition on one indexed field: equality, null, one of, or bounds. */
export type FieldFilter =
  | Scalar
  | null
  | { in: Scalar[] }
  | { gt?: string | number; gte?: string | number; lt?: string | number; lte?: string | number };

export type FieldFilters = Record<string, FieldFilter>;

/** A column that a list is ordered by: its SQL, the row's key it is returned under, and its type. */
export interface OrderColumn {
  sql: string;
  key: string;
  cast: string;
}

export type { KeysetPosition };
