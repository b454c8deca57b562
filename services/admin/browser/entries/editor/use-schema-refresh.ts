import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { bootstrapQuery } from '../../api/bootstrap.js';
import type { EntrySession } from './entry-session.js';

/** Reads the site's collections again when the server does not know a field: they have changed under the form. */
export function useSchemaRefresh({ document: entry }: EntrySession): void {
  const client = useQueryClient();
  useEffect(() => {
    let isAsked = false;
    const check = () => {
      const issues = entry.getSummary().invalid.flatMap((key) => entry.getSnapshot(key).issues);
      if (isAsked || !issues.some(({ code }) => code === 'unknown_field')) return;
      isAsked = true;
      void client.invalidateQueries({ queryKey: bootstrapQuery.queryKey });
    };
    return entry.subscribeAll(check);
  }, [entry, client]);
}
