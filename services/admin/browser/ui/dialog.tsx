import { Dialog as AriaDialog, Heading } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import type { ReactNode } from 'react';
import styles from './dialog.module.css';

/**
 * A modal dialog over the screen, open while it is rendered.
 * @param props.onClose called by Escape and by a press outside; a dialog without it stays until its work is done
 * @param props.isTitleHidden whether only screen readers read the title
 */
export function Dialog({
  title,
  isTitleHidden = false,
  onClose,
  children,
}: {
  title: string;
  isTitleHidden?: boolean;
  onClose?: () => void;
  children: ReactNode;
}) {
  return (
    <ModalOverlay
      isOpen
      isDismissable={onClose !== undefined}
      isKeyboardDismissDisabled={onClose === undefined}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose?.();
      }}
      className={styles['overlay'] ?? ''}
    >
      <Modal className={styles['modal'] ?? ''}>
        <AriaDialog className={styles['dialog'] ?? ''}>
          <Heading slot="title" level={2} className={isTitleHidden ? 'visually-hidden' : ''}>
            {title}
          </Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
