import { useCallback, useEffect, useRef } from 'react';
import {
  useForm,
  type DefaultValues,
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  type Resolver,
} from 'react-hook-form';
import type { ObjectSchema } from 'yup';
import { asApiError, type ApiError } from '../api/apiError';

/** Where a form's yup schema comes from: a file of its own, so that yup does not delay hydration. */
type LoadSchema<Values extends FieldValues> = () => Promise<ObjectSchema<Values>>;

interface Options<Values extends FieldValues> {
  /** Without one, the rules stand with `register`. */
  schema?: LoadSchema<Values>;
  defaultValues?: DefaultValues<Values>;
  /** Throws when it fails; what was typed then stays. */
  send: (values: Values) => unknown;
  /** What to say of a failure; it stands in the form unless the server named some of its inputs. */
  explain: (error: ApiError) => string | undefined;
  /** The rules found something, so nothing is sent. */
  onInvalid?: (errors: FieldErrors<Values>) => void;
}

/** Every form: yup rules, one request at a time, and the server's `fields` on their inputs, the first focused. */
export function useAppForm<Values extends FieldValues>(options: Options<Values>) {
  const { schema, defaultValues, send, explain, onInvalid } = options;
  const resolver = useLazyResolver(schema);
  const form = useForm<Values>({
    ...(schema && { resolver }),
    ...(defaultValues && { defaultValues }),
  });
  const { setError, getValues, handleSubmit, formState } = form;
  const { errors, isSubmitting } = formState;
  const busy = useRef(false); // known at once, unlike isSubmitting

  /** Answers whether any of the server's messages belonged to an input of this form. */
  const showServerErrors = useCallback(
    (error: ApiError): boolean => {
      const known = Object.entries(error.fields ?? {}).filter(([name]) => name in getValues());
      known.forEach(([name, messages], index) => {
        const message = messages.join('\n') || error.sentence;
        setError(
          name as FieldPath<Values>,
          { type: 'server', message },
          { shouldFocus: index === 0 },
        );
      });
      return known.length > 0;
    },
    [getValues, setError],
  );

  async function submit() {
    if (busy.current) return;
    busy.current = true;
    try {
      await handleSubmit(send, onInvalid)();
    } catch (thrown) {
      const error = asApiError(thrown);
      const message = explain(error);
      if (!showServerErrors(error) && message) setError('root', { message });
    } finally {
      busy.current = false;
    }
  }

  return {
    ...form,
    errors,
    isSubmitting,
    problem: errors.root?.message,
    showServerErrors,
    submit: (event?: { preventDefault: () => void }) => {
      event?.preventDefault();
      void submit();
    },
  };
}

function useLazyResolver<Values extends FieldValues>(
  load: LoadSchema<Values> | undefined,
): Resolver<Values> {
  const loading = useRef<Promise<Resolver<Values>> | undefined>(undefined);
  const resolver = useCallback(() => {
    loading.current ??= loadResolver(load);
    // A file that did not arrive (offline, say) is requested again the next time.
    loading.current.catch(() => (loading.current = undefined));
    return loading.current;
  }, [load]);

  useEffect(() => {
    if (load) resolver().catch(() => undefined); // the submit tries again, and shows an error when that fails too
  }, [load, resolver]);

  return useCallback(
    async (values, context, options) => (await resolver())(values, context, options),
    [resolver],
  );
}

async function loadResolver<Values extends FieldValues>(load: LoadSchema<Values> | undefined) {
  if (!load) throw new Error('this form has no schema');
  const [{ yupResolver }, schema] = await Promise.all([
    import(/* webpackChunkName: "validation" */ '@hookform/resolvers/yup'),
    load(),
  ]);
  return yupResolver(schema) as unknown as Resolver<Values>;
}
