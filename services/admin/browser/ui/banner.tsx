import type { ReactNode } from 'react';
import styles from './banner.module.css';

/** A message about the whole site or screen, which screen readers read when it appears. */
export function Banner({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div role="status" className={styles['banner']}>
      {icon}
      <span>{children}</span>
    </div>
  );
}
