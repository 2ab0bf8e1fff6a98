### Words of the dialog that shares a change.

share_change = Partager ce changement
share_link = Lien vers ce changement
share_foot = Voyez où regarde un Transformer pendant qu'il traduit
share_send = Envoyer…
save_picture = Enregistrer l'image
save_loop = Enregistrer l'animation
making_loop = Préparation de l'animation : { $n } %
made_loop = Enregistré sous { $name }, { $size } ko.
no_loop = Ce navigateur ne sait pas faire d'animation. L'image montre le même changement.
copy_it = La copie a échoué : copiez le lien depuis le champ.
close = Fermer
share_copy = Copier le lien
share_copied = Copié.
share_title = { $changes } : « { $before } » devient « { $after } »
share_without = Sans la tête { $head }, « { $before } » devient « { $after } »
