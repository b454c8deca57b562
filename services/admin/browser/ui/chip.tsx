import { X } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import styles from './chip.module.css';

/** A filter or the like, which its button removes; without `onRemove` it has none. */
export function Chip({
  label,
  removeLabel,
  onRemove,
}: {
  label: string;
  removeLabel: string;
  onRemove: (() => void) | undefined;
}) {
  return (
    <span className={styles['chip']}>
      <span>{label}</span>
      {onRemove && (
        <Button aria-label={removeLabel} onPress={onRemove} className={styles['remove'] ?? ''}>
          <X aria-hidden size={14} />
        </Button>
      )}
    </span>
  );
}
