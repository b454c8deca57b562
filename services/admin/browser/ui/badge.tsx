import type { ReactNode } from 'react';
import styles from './badge.module.css';

/** The colours of badges. */
export type BadgeTone = 'neutral' | 'done' | 'info' | 'warn' | 'danger';

/** A state in words, with an icon: colours are never the only sign. */
export function Badge({ tone, icon, children }: { tone: BadgeTone; icon: ReactNode; children: ReactNode }) {
  return (
    <span className={styles['badge']} data-tone={tone}>
      {icon}
      <span>{children}</span>
    </span>
  );
}
