import { Button as AriaButton } from 'react-aria-components/Button';
import type { ReactNode } from 'react';

/** A button; `isMain` marks the one action that a screen or a dialog is for. */
export function Button({
  children,
  onPress,
  isMain = false,
  isPending = false,
  isDisabled = false,
}: {
  children: ReactNode;
  onPress: () => void;
  isMain?: boolean;
  isPending?: boolean;
  isDisabled?: boolean;
}) {
  return (
    <AriaButton
      className={isMain ? 'button main' : 'button'}
      onPress={onPress}
      isPending={isPending}
      isDisabled={isDisabled}
    >
      {children}
    </AriaButton>
  );
}
