import { useEffect, useState } from 'react';
import styles from './skeleton.module.css';

/** Content that arrives sooner is shown without a placeholder before it. */
const delayMs = 150;

/** Placeholder of rows that are being loaded. @param props.label for screen readers */
export function Skeleton({ rows, label }: { rows: number; label: string }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), delayMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" aria-busy="true" className={styles['skeleton']}>
      {isShown && (
        <>
          <span className="visually-hidden">{label}</span>
          {Array.from({ length: rows }, (_, index) => (
            <div key={index} className={styles['row']} />
          ))}
        </>
      )}
    </div>
  );
}
