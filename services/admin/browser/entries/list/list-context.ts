import type { Caller } from '@quire/permissions';
import { createContext, use } from 'react';
import type { Bootstrap, Collection } from '../../api/bootstrap.js';
import type { TimeFormatters } from '../../time/formatters.js';

/** What all parts of a collection's list know. */
export interface ListContextValue {
  collection: Collection;
  bootstrap: Bootstrap;
  caller: Caller & { userId: string };
  times: TimeFormatters;
  /** Whether nothing can be changed now, as without a connection. */
  isReadOnly: boolean;
}

export const ListContext = createContext<ListContextValue | undefined>(undefined);

/** @throws Error outside of a list */
export function useListContext(): ListContextValue {
  const value = use(ListContext);
  if (!value) throw new Error('Only parts of a list have its context');
  return value;
}
