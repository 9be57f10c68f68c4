import { useRef, useState } from 'react';
import {
  useCreatePackageMutation,
  useUpdatePackageMutation,
  type PackageView,
} from '../../api/admin';
import { asApiError, type ApiError } from '../../../shared/api/apiError';
import { useAppForm } from '../../../shared/form/useAppForm';
import { useToast } from '../../../shared/ui/toast/useToast';
import { bodyOf, newPackage, valuesOf, type PackageValues } from './packageValues';

const loadSchema = () =>
  import(/* webpackChunkName: "pricing-rules" */ './schema').then((file) => file.packageSchema);

/** Creates a package or changes one: one request at a time, and what was typed stays until it worked. */
export function usePackageForm(edited: PackageView | undefined, onSaved: () => void) {
  const form = useAppForm<PackageValues>({
    schema: loadSchema,
    defaultValues: edited ? valuesOf(edited) : newPackage,
  });
  const { handleSubmit, formState, showServerErrors } = form;
  const [create] = useCreatePackageMutation();
  const [update] = useUpdatePackageMutation();
  const toast = useToast();
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const busy = useRef(false);

  async function send(values: PackageValues) {
    const packageBody = bodyOf(values);
    if (edited) await update({ id: edited.id, packageBody }).unwrap();
    else await create({ packageBody }).unwrap();
    onSaved();
    toast({ title: `Entry package ${edited ? 'updated' : 'created'} successfully` });
  }

  function explain(error: ApiError) {
    toast({
      title: `Failed to ${edited ? 'update' : 'create'} package`,
      description: error.serverSentence ?? 'Unknown error',
      tone: 'bad',
    });
    if (!showServerErrors(error)) setProblem(edited ? error.sentence : createProblem(error));
  }

  async function save() {
    if (busy.current) return;
    busy.current = true;
    setPending(true);
    setProblem(undefined);
    try {
      await handleSubmit(send)();
    } catch (thrown) {
      explain(asApiError(thrown));
    } finally {
      busy.current = false;
      setPending(false);
    }
  }

  return { ...form, errors: formState.errors, pending, problem, save: () => void save() };
}

/** An answer that never came does not tell whether there is a package now; a second one would be sold beside it. */
function createProblem({ status, sentence }: ApiError): string {
  const isKnown = typeof status === 'number' && status < 500;
  return isKnown
    ? sentence
    : `${sentence} The package may be there all the same: look at the list before you try again.`;
}
