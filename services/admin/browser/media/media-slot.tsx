import { FileText, ImagePlus, Images, Trash2, Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Field } from '../api/bootstrap.js';
import { errorWords } from '../api/error-words.js';
import { useMessages } from '../locales/messages.js';
import { Button } from '../ui/button.js';
import { MediaPicker } from './media-picker.js';
import { uploadFile } from './media-queries.js';
import styles from './media-slot.module.css';
import { acceptAttribute, acceptedTypes, thumbnailOf, toValue, type MediaValue } from './media-value.js';

/** An upload that is running, or has failed. */
type UploadState = { name: string; file: File; problem?: string } | undefined;

/** The place of one file in a field: shows it, and takes another one from the library, the device or the clipboard. */
export function MediaSlot({
  field,
  label,
  value,
  onChange,
  isReadOnly,
}: {
  field: Field;
  /** Names the place for screen readers. */
  label: string;
  value: MediaValue | undefined;
  onChange: (value: MediaValue | null) => void;
  isReadOnly: boolean;
}) {
  const t = useMessages();
  const [isPicking, setPicking] = useState(false);
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const upload = useUpload(field, (item) => onChange(toValue(item)));
  const types = acceptedTypes(field);
  const take = (files: FileList | null | undefined) => {
    const [file] = files ?? [];
    if (file && !isReadOnly) upload.start(file);
    return file !== undefined;
  };
  return (
    <div
      className={styles['slot']}
      role="group"
      aria-label={label}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        if (isReadOnly || !event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        if (take(event.dataTransfer.files)) event.preventDefault();
      }}
      onPaste={(event) => {
        if (take(event.clipboardData.files)) event.preventDefault();
      }}
    >
      {value ? <Shown field={field} value={value} /> : <Nothing field={field} />}
      {upload.state && <Uploading state={upload.state} onRetry={upload.retry} onCancel={upload.cancel} />}
      {!isReadOnly && (
        <div className={styles['actions']}>
          <Button onPress={() => setPicking(true)}>
            <Images aria-hidden size={16} />
            {t('media.choose')}
          </Button>
          <Button onPress={() => input.current?.click()}>
            <Upload aria-hidden size={16} />
            {t('media.upload')}
          </Button>
          {value && (
            <Button onPress={() => onChange(null)}>
              <Trash2 aria-hidden size={16} />
              {t('media.remove')}
            </Button>
          )}
          <input
            ref={input}
            hidden
            type="file"
            accept={acceptAttribute(types)}
            onChange={({ target }) => {
              take(target.files);
              // The same file can be selected again after an error.
              target.value = '';
            }}
          />
        </div>
      )}
      {isPicking && (
        <MediaPicker
          types={types}
          onPick={(item) => {
            setPicking(false);
            onChange(toValue(item));
          }}
          onClose={() => setPicking(false)}
        />
      )}
    </div>
  );
}

/** Uploads one file at a time; the last one that was selected counts. */
function useUpload(field: Field, onUploaded: (item: Awaited<ReturnType<typeof uploadFile>>) => void) {
  const t = useMessages();
  const [state, setState] = useState<UploadState>();
  const latest = useRef<File>(undefined);
  const start = (file: File) => {
    latest.current = file;
    setState({ name: file.name, file });
    uploadFile(file, field.id).then(
      (item) => {
        if (latest.current !== file) return;
        setState(undefined);
        onUploaded(item);
      },
      (error: unknown) => {
        if (latest.current === file) setState({ name: file.name, file, problem: errorWords(t, error).text });
      },
    );
  };
  return {
    state,
    start,
    retry: () => state && start(state.file),
    cancel: () => {
      latest.current = undefined;
      setState(undefined);
    },
  };
}

function Uploading({
  state,
  onRetry,
  onCancel,
}: {
  state: NonNullable<UploadState>;
  onRetry: () => void;
  onCancel: () => void;
}) {
  const t = useMessages();
  const { name, problem } = state;
  return (
    <div role={problem === undefined ? 'status' : 'alert'} className={styles['upload']}>
      <span>
        {problem === undefined ? t('media.uploading', { name }) : t('media.notUploaded', { name, problem })}
      </span>
      {problem !== undefined && <Button onPress={onRetry}>{t('error.retry')}</Button>}
      <Button onPress={onCancel}>{t('dialog.cancel')}</Button>
    </div>
  );
}

function Nothing({ field }: { field: Field }) {
  const t = useMessages();
  const Icon = field.type === 'image' ? ImagePlus : FileText;
  return (
    <p className={styles['nothing']}>
      <Icon aria-hidden size={24} />
      {t('media.nothing')}
    </p>
  );
}

/** A file with its name and size, and how an image looks. */
function Shown({ field, value }: { field: Field; value: MediaValue }) {
  const t = useMessages();
  const { filename, width, height, alt = '' } = value;
  const address = value.src ?? value.url ?? value.previewUrl;
  const name = filename ?? (typeof address === 'string' ? address : value.id);
  const isImage = field.type === 'image' && typeof address === 'string';
  return (
    <figure className={styles['shown']}>
      {isImage ? (
        <img src={thumbnailOf(address, 'preview')} alt={alt === '' ? name : alt} loading="lazy" />
      ) : (
        <FileText aria-hidden size={32} />
      )}
      <figcaption>
        <span dir="auto">{name}</span>
        {width !== undefined && height !== undefined && (
          <span className={styles['facts']}>{t('media.dimensions', { width, height })}</span>
        )}
      </figcaption>
    </figure>
  );
}
