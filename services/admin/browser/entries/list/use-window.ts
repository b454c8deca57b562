import { useCallback, useRef, useSyncExternalStore, type RefObject } from 'react';

/** Rows before and after the visible ones. */
const overscan = 8;
/** The range moves in steps, so that few scroll events render again. */
const step = 8;
/** Lists of fewer rows are rendered as a whole: the browser then finds all of their texts. */
const minWindowed = 120;
/** What is rendered before the first measurement. */
const firstRows = 40;

/** The rows of a list that are rendered. */
export interface WindowedRange {
  start: number;
  /** Index after the last one. */
  end: number;
  /** Index after the last visible row, also of a list that is rendered as a whole. */
  visibleEnd: number;
}

/** What a window needs to measure. */
interface Measured {
  frame: RefObject<HTMLElement | null>;
  list: RefObject<HTMLElement | null>;
  rowHeight: number;
  count: number;
}

/**
 * Renders the rows of a long list that are in sight only. Rows have one height. The list may scroll in a frame, or with
 * the page.
 */
export function useWindow({ count, rowHeight }: { count: number; rowHeight: number }) {
  const frame = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLElement>(null);
  // A text: the store of React compares snapshots by identity.
  const visible = useSyncExternalStore(subscribe, () =>
    visibleRows({ frame, list, rowHeight, count }).join(),
  );
  const reveal = useCallback(
    (index: number) => revealRow({ frame, list, rowHeight, count }, index),
    [rowHeight, count],
  );
  const [first = 0, last = 0] = visible.split(',').map(Number);
  const range: WindowedRange =
    count < minWindowed
      ? { start: 0, end: count, visibleEnd: last }
      : { start: Math.max(0, first - overscan), end: Math.min(count, last + overscan), visibleEnd: last };
  return { frame, list, range, reveal };
}

function subscribe(listener: () => void): () => void {
  // Scroll events of the frame do not bubble.
  const options = { capture: true, passive: true } as const;
  window.addEventListener('scroll', listener, options);
  window.addEventListener('resize', listener);
  return () => {
    window.removeEventListener('scroll', listener, options);
    window.removeEventListener('resize', listener);
  };
}

/** The first visible row and the one after the last, in steps. */
function visibleRows({ frame, list, rowHeight, count }: Measured): [number, number] {
  if (!list.current) return [0, Math.min(count, firstRows)];
  const { top } = list.current.getBoundingClientRect();
  const bounds = frame.current?.getBoundingClientRect();
  const viewTop = Math.max(0, bounds?.top ?? 0);
  const viewBottom = Math.min(window.innerHeight, bounds?.bottom ?? window.innerHeight);
  const first = Math.floor((viewTop - top) / rowHeight / step) * step;
  const last = Math.ceil((viewBottom - top) / rowHeight / step) * step;
  const within = (index: number) => Math.max(0, Math.min(count, index));
  return [within(first), within(last)];
}

/** Scrolls as little as needed to show a row, which need not be rendered yet. */
function revealRow({ frame, list, rowHeight }: Measured, index: number): void {
  if (!list.current) return;
  const scroller = frame.current ?? document.scrollingElement;
  const bounds = frame.current?.getBoundingClientRect();
  const header = frame.current?.querySelector('thead')?.clientHeight ?? 0;
  const viewTop = Math.max(0, bounds?.top ?? 0) + header;
  const viewBottom = Math.min(window.innerHeight, bounds?.bottom ?? window.innerHeight);
  const top = list.current.getBoundingClientRect().top + index * rowHeight;
  if (top < viewTop) scroller?.scrollBy({ top: top - viewTop });
  else if (top + rowHeight > viewBottom) scroller?.scrollBy({ top: top + rowHeight - viewBottom });
}
