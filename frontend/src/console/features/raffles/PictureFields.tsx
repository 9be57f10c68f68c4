import { useState } from 'react';
import { useSendPictureMutation } from '../../api/sendPicture';
import { useAct } from '../../lib/useAct';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { ProgressBar } from '../../ui/ProgressBar';
import { scenes } from './content';
import { Text, type FormProps } from './Text';

/** A built-in picture, or an upload in its place, and its alternative text. */
export function PictureFields(props: FormProps) {
  const { content, errors, onChange } = props;
  const { scene, upload } = content.picture;
  return (
    <>
      <Field
        label="Built-in picture"
        error={errors['picture.scene']}
        {...(upload && { hint: 'Shown should the upload be withdrawn.' })}
      >
        {(control) => (
          <select
            {...control}
            data-path="picture.scene"
            value={scene}
            onChange={({ target }) => onChange('picture.scene', target.value)}
          >
            {Object.entries(scenes).map(([key, name]) => (
              <option key={key} value={key}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Upload
        upload={upload}
        refused={errors['picture.upload']}
        onChange={(hash) => onChange('picture.upload', hash)}
      />
      <Text
        {...props}
        path="picture.alt"
        hint="For people who do not see it. An upload needs it."
      />
    </>
  );
}

interface UploadProps {
  upload: string | null;
  refused: string | undefined;
  onChange: (hash: string | null) => void;
}

function Upload({ upload, refused, onChange }: UploadProps) {
  const [send] = useSendPictureMutation();
  const [part, setPart] = useState(0);
  const { pending, problem, run } = useAct(({ sentence }) => sentence);
  const choose = (file: File | undefined) => {
    if (!file) return;
    setPart(0);
    run(async () => onChange((await send({ file, onProgress: setPart }).unwrap()).hash));
  };
  return (
    <>
      <Field
        label="Picture of your own"
        hint="JPEG, PNG or WebP, at least 1200 × 630 pixels and at most 8 MB."
        error={problem ?? refused}
      >
        {(control) => (
          <input
            {...control}
            type="file"
            accept="image/jpeg,image/png,image/webp"
            data-path="picture.upload"
            disabled={pending}
            onChange={({ target }) => {
              choose(target.files?.[0]);
              target.value = ''; // so that the same file can be chosen again
            }}
          />
        )}
      </Field>
      <div role="status">
        {pending && (
          <>
            <ProgressBar label="Upload" value={part} max={1} />
            {part < 1 ? `${Math.floor(part * 100)}% sent` : 'The picture is being made...'}
          </>
        )}
      </div>
      {upload && !pending && (
        <div className="raffle-upload">
          <img src={`/media/${upload}`} alt="The upload" />
          <Button size="small" onClick={() => onChange(null)}>
            Remove the upload
          </Button>
        </div>
      )}
    </>
  );
}
