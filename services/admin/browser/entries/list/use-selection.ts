import { useMemo, useState } from 'react';
import type { Row } from './entry-status.js';

/** The selected entries, by id: they stay selected when the list is read again. */
export interface Selection {
  rows: ReadonlyMap<string, Row>;
  /** Whether all entries that match are selected, also those that are not loaded. */
  isOfAll: boolean;
  /** The functions are the same in each render: otherwise all rows would render for a change of one. */
  change: SelectionChange;
}

export interface SelectionChange {
  toggle: (row: Row) => void;
  /** Selects these rows only. */
  select: (rows: readonly Row[]) => void;
  /** Selects all entries that match. */
  selectAll: () => void;
  clear: () => void;
}

interface State {
  key: string;
  rows: ReadonlyMap<string, Row>;
  isOfAll: boolean;
}

const noRows: ReadonlyMap<string, Row> = new Map();

/** @param key of the query: another query shows other entries, and begins without a selection */
export function useSelection(key: string, loaded: readonly Row[]): Selection {
  const [state, setState] = useState<State>({ key, rows: noRows, isOfAll: false });
  const { rows: selected, isOfAll } = state.key === key ? state : { rows: noRows, isOfAll: false };
  const change = useMemo<SelectionChange>(() => {
    const set = (rows: ReadonlyMap<string, Row>, ofAll = false) => setState({ key, rows, isOfAll: ofAll });
    return {
      toggle: (row) =>
        setState((current) => {
          const rows = new Map(current.key === key ? current.rows : noRows);
          if (!rows.delete(row.id)) rows.set(row.id, row);
          return { key, rows, isOfAll: false };
        }),
      select: (rows) => set(new Map(rows.map((row) => [row.id, row]))),
      selectAll: () => setState((current) => ({ ...current, key, isOfAll: true })),
      clear: () => set(noRows),
    };
  }, [key]);
  const byId = useMemo(() => new Map(loaded.map((row) => [row.id, row])), [loaded]);
  // A row that was read again has its new state.
  const rows = useMemo(
    () => new Map([...selected].map(([id, row]) => [id, byId.get(id) ?? row])),
    [selected, byId],
  );
  return { rows, isOfAll, change };
}
