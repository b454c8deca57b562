import { createContext, use } from 'react';
import type { CollectionContext } from '../with-collection.js';

/** What all parts of a collection's list know. */
export interface ListContextValue extends CollectionContext {
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
