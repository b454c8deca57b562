import { Button as AriaButton } from 'react-aria-components/Button';
import type { ReactNode } from 'react';

/** A button; `isMain` marks the one action that a screen or a dialog is for, `isDanger` one that destroys something. */
export function Button({
  children,
  onPress,
  isMain = false,
  isDanger = false,
  isPending = false,
  isDisabled = false,
}: {
  children: ReactNode;
  onPress: () => void;
  isMain?: boolean;
  isDanger?: boolean;
  isPending?: boolean;
  isDisabled?: boolean;
}) {
  return (
    <AriaButton
      className={['button', isMain && 'main', isDanger && 'danger'].filter(Boolean).join(' ')}
      onPress={onPress}
      isPending={isPending}
      isDisabled={isDisabled}
    >
      {children}
    </AriaButton>
  );
}
