import type { ReactNode } from 'react';
import styles from './banner.module.css';

/** A message about the whole site or screen, which screen readers read when it appears. */
export function Banner({
  icon,
  children,
  actions,
}: {
  icon: ReactNode;
  children: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <div role="status" className={styles['banner']}>
      {icon}
      <span>{children}</span>
      {actions !== undefined && <span className={styles['actions']}>{actions}</span>}
    </div>
  );
}
