import type { ReactNode } from 'react';
import { useMessages } from '../locales/messages.js';
import { Button } from './button.js';
import { Dialog } from './dialog.js';

/** Asks before something is done. The question names what it is about. */
export function ConfirmDialog({
  title,
  confirmLabel,
  isDanger = false,
  isDisabled = false,
  onConfirm,
  onClose,
  children,
}: {
  title: string;
  confirmLabel: string;
  isDanger?: boolean;
  isDisabled?: boolean;
  onConfirm: () => void;
  onClose: () => void;
  children?: ReactNode;
}) {
  const t = useMessages();
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <div className="actions">
        <Button isMain isDanger={isDanger} isDisabled={isDisabled} onPress={onConfirm}>
          {confirmLabel}
        </Button>
        <Button onPress={onClose}>{t('dialog.cancel')}</Button>
      </div>
    </Dialog>
  );
}
