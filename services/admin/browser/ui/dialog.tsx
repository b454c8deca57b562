import { Dialog as AriaDialog, Heading } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import type { ReactNode } from 'react';
import styles from './dialog.module.css';

/**
 * A modal dialog over the screen, open while it is rendered.
 * @param props.onClose called by Escape and by a press outside; a dialog without it stays until its work is done
 * @param props.isTitleHidden whether only screen readers read the title
 * @param props.isSheet whether it takes the whole screen of a phone
 */
export function Dialog({
  title,
  isTitleHidden = false,
  isSheet = false,
  onClose,
  children,
}: {
  title: string;
  isTitleHidden?: boolean;
  isSheet?: boolean;
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
      {...(isSheet && { 'data-sheet': true })}
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
