"""The classroom from the teacher's side: what goes to the phones, what can be asked, and what the class answered."""
