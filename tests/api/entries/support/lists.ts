/** An entry as lists show it. */
export interface Listed {
  id: string;
  slug: string | null;
  data: Record<string, unknown>;
  [key: string]: unknown;
}

/** The parameter that filters a list by values of fields. */
export const fieldFilters = (value: unknown) => `fieldFilters=${encodeURIComponent(JSON.stringify(value))}`;
