import type { Content } from '../../api/raffles';
import { formatCount } from '../../../shared/lib/format';
import { lengthOf } from '../../../shared/lib/lengthOf';
import { Field } from '../../ui/Field';
import { labelOf, most } from './content';

export interface FormProps {
  content: Content;
  /** What the server said of fields, by their paths. */
  errors: Record<string, string>;
  isReadOnly: boolean;
  onChange: (path: string, value: unknown) => void;
}

interface TextProps extends FormProps {
  path: string;
  hint?: string;
  lines?: number;
}

const valueAt = (content: Content, path: string): string =>
  path
    .split('.')
    .reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], content) as string;

/** A text, and how many of its characters are used. */
export function Text({ content, errors, onChange, path, hint, lines }: TextProps) {
  const value = valueAt(content, path);
  const limit = most[path.split('.').at(-1) as keyof typeof most];
  const used = lengthOf(value);
  const count = `${formatCount(used)} of ${formatCount(limit)} characters`;
  const tooLong = used > limit ? `At most ${formatCount(limit)} characters` : undefined;
  return (
    <Field
      label={labelOf(path)}
      hint={hint ? `${hint} ${count}` : count}
      error={errors[path] ?? tooLong}
    >
      {(control) => {
        const input = {
          ...control,
          'data-path': path,
          value,
          onChange: ({ target }: { target: { value: string } }) => onChange(path, target.value),
        };
        return lines ? (
          <textarea {...input} rows={lines} />
        ) : (
          <input {...input} autoComplete="off" />
        );
      }}
    </Field>
  );
}
