import { object, string, type InferType } from 'yup';

/** The server's rules for signing in. */
export const signInSchema = object({
  username: string().trim().required('Username is required'),
  password: string().required('Password is required'),
});

export type SignInValues = InferType<typeof signInSchema>;
