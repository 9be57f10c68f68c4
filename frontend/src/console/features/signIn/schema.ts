import { object, string, type InferType } from 'yup';
import { text } from '../../form/rules';

/** The server's rules for signing in. */
export const signInSchema = object({
  username: text(256, 'Username is required', 'Username is too long'),
  password: string().required('Password is required'),
});

export type SignInValues = InferType<typeof signInSchema>;
