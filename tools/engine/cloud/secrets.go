package main

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"net/http"

	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"
)

// sealer encrypts with the key of one stack.
type sealer struct{ cipher.AEAD }

func newSealer() sealer {
	key := make([]byte, 32)
	_, _ = rand.Read(key)
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(err)
	}
	sealed, err := cipher.NewGCM(block)
	if err != nil {
		panic(err)
	}
	return sealer{sealed}
}

func (s sealer) seal(plaintext []byte) []byte {
	nonce := make([]byte, s.NonceSize())
	_, _ = rand.Read(nonce)
	return s.Seal(nonce, nonce, plaintext, nil)
}

func (s sealer) open(ciphertext []byte) ([]byte, error) {
	if len(ciphertext) < s.NonceSize() {
		return nil, failure(http.StatusBadRequest, "Bad Request: invalid ciphertext")
	}
	plaintext, err := s.Open(nil, ciphertext[:s.NonceSize()], ciphertext[s.NonceSize():], nil)
	if err != nil {
		return nil, failure(http.StatusBadRequest, "Bad Request: invalid ciphertext")
	}
	return plaintext, nil
}

func encryptValue(_ *server, r request, found *stack) (any, error) {
	var sent apitype.EncryptValueRequest
	if err := r.decode(&sent); err != nil {
		return nil, err
	}
	return apitype.EncryptValueResponse{Ciphertext: found.sealer.seal(sent.Plaintext)}, nil
}

func decryptValue(_ *server, r request, found *stack) (any, error) {
	var sent apitype.DecryptValueRequest
	if err := r.decode(&sent); err != nil {
		return nil, err
	}
	plaintext, err := found.sealer.open(sent.Ciphertext)
	return apitype.DecryptValueResponse{Plaintext: plaintext}, err
}

func batchEncrypt(_ *server, r request, found *stack) (any, error) {
	var sent apitype.BatchEncryptRequest
	if err := r.decode(&sent); err != nil {
		return nil, err
	}
	sealed := make([][]byte, len(sent.Plaintexts))
	for at, plaintext := range sent.Plaintexts {
		sealed[at] = found.sealer.seal(plaintext)
	}
	return apitype.BatchEncryptResponse{Ciphertexts: sealed}, nil
}

func batchDecrypt(_ *server, r request, found *stack) (any, error) {
	var sent apitype.BatchDecryptRequest
	if err := r.decode(&sent); err != nil {
		return nil, err
	}
	opened := map[string][]byte{}
	for _, ciphertext := range sent.Ciphertexts {
		plaintext, err := found.sealer.open(ciphertext)
		if err != nil {
			return nil, err
		}
		opened[base64.StdEncoding.EncodeToString(ciphertext)] = plaintext
	}
	return apitype.BatchDecryptResponse{Plaintexts: opened}, nil
}

func logDecryption(*server, request, *stack) (any, error) { return nil, nil }

// The mark of a secret in a deployment.
const (
	signature = "4dabf18193072939515e22adb298388d"
	secret    = "1b47061264138c4ac30d75fd1eb44270"
)

// inClear replaces each secret that the stack's key opens by its value.
func (s sealer) inClear(value any) any {
	switch value := value.(type) {
	case []any:
		for at, each := range value {
			value[at] = s.inClear(each)
		}
	case map[string]any:
		if text, ok := value["ciphertext"].(string); ok && value[signature] == secret {
			ciphertext, _ := base64.StdEncoding.DecodeString(text)
			var opened any
			if plaintext, err := s.open(ciphertext); err == nil && json.Unmarshal(plaintext, &opened) == nil {
				return opened
			}
			return value
		}
		for key, each := range value {
			value[key] = s.inClear(each)
		}
	}
	return value
}
