import type { Caller } from '@quire/permissions';
import { createContext, use } from 'react';
import type { Bootstrap, Collection } from '../../api/bootstrap.js';
import type { TimeFormatters } from '../../time/formatters.js';

/** What all parts of the editor know. */
export interface EditorContextValue {
  collection: Collection;
  bootstrap: Bootstrap;
  caller: Caller & { userId: string };
  times: TimeFormatters;
}

export const EditorContext = createContext<EditorContextValue | undefined>(undefined);

/** @throws Error outside of the editor */
export function useEditorContext(): EditorContextValue {
  const value = use(EditorContext);
  if (!value) throw new Error('Only parts of the editor have its context');
  return value;
}
