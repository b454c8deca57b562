import styles from './progress.module.css';

/** How far work is. @param props.max undefined while it is not known */
export function Progress({ label, value, max }: { label: string; value: number; max?: number | undefined }) {
  return (
    <div className={styles['progress']}>
      <span role="status">{label}</span>
      <progress aria-label={label} {...(max !== undefined && { value, max })} />
    </div>
  );
}
