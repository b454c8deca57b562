import type { ReactNode } from 'react';
import styles from './empty.module.css';

/** What a screen shows instead of an empty list: why it is empty, and what comes next. */
export function Empty({
  icon,
  title,
  explanation,
  children,
}: {
  icon: ReactNode;
  title: string;
  explanation?: string | undefined;
  children?: ReactNode;
}) {
  return (
    <div className={styles['empty']}>
      {icon}
      <h2>{title}</h2>
      {explanation !== undefined && <p>{explanation}</p>}
      {children}
    </div>
  );
}
