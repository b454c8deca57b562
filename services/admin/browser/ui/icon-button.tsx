import { Button } from 'react-aria-components/Button';
import type { ReactNode, Ref } from 'react';
import styles from './icon-button.module.css';

/** A button that shows an icon only; `label` is its name. */
export function IconButton({
  label,
  onPress,
  children,
  isDisabled = false,
  ref,
}: {
  label: string;
  onPress: () => void;
  children: ReactNode;
  isDisabled?: boolean;
  ref?: Ref<HTMLButtonElement>;
}) {
  return (
    <Button
      ref={ref}
      aria-label={label}
      onPress={onPress}
      isDisabled={isDisabled}
      className={styles['button'] ?? ''}
    >
      {children}
    </Button>
  );
}
