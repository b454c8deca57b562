import { useCallback, useMemo, useState } from 'react';
import type { Row } from './entry-status.js';

/** The selected entries, by id: they stay selected when the list is read again. */
export interface Selection {
  rows: ReadonlyMap<string, Row>;
  /** Whether all entries that match are selected, also those that are not loaded. */
  isOfAll: boolean;
  toggle: (row: Row) => void;
  /** Selects the loaded rows, or none of them if all are selected. */
  toggleLoaded: (rows: readonly Row[]) => void;
  selectAll: () => void;
  clear: () => void;
}

/** @param key of the query: another query shows other entries, and begins without a selection */
export function useSelection(key: string, loaded: readonly Row[]): Selection {
  const [state, setState] = useState({ key, rows: new Map<string, Row>(), isOfAll: false });
  const { rows: selected, isOfAll } = state.key === key ? state : { rows: emptyRows, isOfAll: false };
  const set = useCallback(
    (rows: ReadonlyMap<string, Row>, ofAll = false) => setState({ key, rows: new Map(rows), isOfAll: ofAll }),
    [key],
  );
  // A row that was read again has its new state.
  const rows = useMemo(() => {
    if (selected.size === 0) return selected;
    const current = new Map(loaded.map((row) => [row.id, row]));
    return new Map([...selected].map(([id, row]) => [id, current.get(id) ?? row]));
  }, [selected, loaded]);
  return useMemo(
    () => ({
      rows,
      isOfAll,
      toggle: (row) => {
        const next = new Map(rows);
        if (!next.delete(row.id)) next.set(row.id, row);
        set(next);
      },
      toggleLoaded: (all) =>
        set(all.every(({ id }) => rows.has(id)) ? emptyRows : new Map(all.map((row) => [row.id, row]))),
      selectAll: () => set(rows, true),
      clear: () => set(emptyRows),
    }),
    [rows, isOfAll, set],
  );
}

const emptyRows: ReadonlyMap<string, Row> = new Map();
