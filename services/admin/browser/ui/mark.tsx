import { mark } from '@quire/theme';

/** Quire's mark. */
export function Mark() {
  return (
    <svg viewBox={mark.viewBox} width={mark.size} height={mark.size} aria-hidden className="mark">
      <rect width={mark.size} height={mark.size} rx={mark.cornerRadius} className="mark-ground" />
      <path className="mark-lines" d={mark.lines} />
    </svg>
  );
}
