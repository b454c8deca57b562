import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useMessages } from '../locales/messages.js';
import { Button } from './button.js';
import { IconButton } from './icon-button.js';
import { dismissToast, useToasts, type Toast } from './toast-store.js';
import styles from './toasts.module.css';

const shownMs = 10_000;

/** The messages about what has happened, which screen readers read when they appear. */
export function Toasts() {
  const t = useMessages();
  const toasts = useToasts();
  return (
    <section aria-label={t('toasts.label')} className={styles['toasts']}>
      <div role="status">
        {toasts.map((toast) => (
          <ToastMessage key={toast.id} toast={toast} />
        ))}
      </div>
    </section>
  );
}

/** It stays while the pointer or the focus is on it. */
function ToastMessage({ toast: { id, message, action, isError = false } }: { toast: Toast }) {
  const t = useMessages();
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld || isError) return undefined;
    const timer = setTimeout(() => dismissToast(id), shownMs);
    return () => clearTimeout(timer);
  }, [id, isHeld, isError]);
  const hold = { onFocus: () => setHeld(true), onBlur: () => setHeld(false) };
  return (
    <div
      className={styles['toast']}
      data-error={isError || undefined}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      {...hold}
    >
      <span>{message}</span>
      {action && (
        <Button
          onPress={() => {
            dismissToast(id);
            action.run();
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton label={t('toasts.dismiss')} onPress={() => dismissToast(id)}>
        <X aria-hidden size={16} />
      </IconButton>
    </div>
  );
}
